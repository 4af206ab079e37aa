package resource

import (
	"encoding/json"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
)

var (
	calendarTable  *object.Type[*Calendar]
	listEntryTable *object.Type[*ListEntry]
	aclRuleTable   *object.Type[*ACLRule]
	freebusyTable  *object.Type[*FreebusyQuery]
	channelTable   *object.Type[*Channel]
)

// listEntryService are the members of an entry of the calendar list that only the service writes.
var listEntryService object.Set

// init makes the tables. As initial values of the variables they would form an initialization cycle with the rules.
func init() {
	makeCalendarTable()
	makeListEntryTable()
	listEntryService = listEntryTable.Where(func(d *object.Declaration) bool { return d.Writer == object.Service })
	makeACLRuleTable()
	makeFreebusyTable()
	makeChannelTable()
}

func conferencePropertiesTable() *object.Type[*ConferenceProperties] {
	return object.NewType(func(p *ConferenceProperties) *object.Extra { return &p.extra },
		object.Strings("allowedConferenceSolutionTypes", func(p *ConferenceProperties) *[]string { return &p.AllowedTypes }),
	)
}

func makeCalendarTable() {
	label := object.NewType(func(l *EventLabel) *object.Extra { return &l.extra },
		object.String("id", func(l *EventLabel) *string { return &l.ID }),
		object.String("name", func(l *EventLabel) *string { return &l.Name }).Must(constraint.CalendarLabelName, &calendarLabels),
		object.String("backgroundColor", func(l *EventLabel) *string { return &l.BackgroundColor }),
	)
	labels := object.NewType(func(p *LabelProperties) *object.Extra { return &p.extra },
		object.Array("eventLabels", func(p *LabelProperties) *[]EventLabel { return &p.EventLabels }, label).
			Must(constraint.CalendarLabels, &calendarLabels),
	)
	calendarTable = object.NewType(func(c *Calendar) *object.Extra { return &c.extra },
		object.String("kind", func(c *Calendar) *string { return &c.Kind }),
		object.String("etag", func(c *Calendar) *string { return &c.ETag }),
		object.String("id", func(c *Calendar) *string { return &c.ID }),
		object.String("summary", func(c *Calendar) *string { return &c.Summary }),
		object.String("description", func(c *Calendar) *string { return &c.Description }),
		object.String("location", func(c *Calendar) *string { return &c.Location }),
		object.String("timeZone", func(c *Calendar) *string { return &c.TimeZone }).Must(constraint.IANAZone, &calendarBody),
		object.String("dataOwner", func(c *Calendar) *string { return &c.DataOwner }),
		object.Bool("autoAcceptInvitations", func(c *Calendar) *bool { return &c.AutoAcceptInvitation }),
		object.Object("conferenceProperties", func(c *Calendar) **ConferenceProperties { return &c.ConferenceProperties }, conferencePropertiesTable()),
		object.Object("labelProperties", func(c *Calendar) **LabelProperties { return &c.LabelProperties }, labels),
		object.Any("workingHours", func(c *Calendar) *json.RawMessage { return &c.WorkingHours }),
	)
}

func makeListEntryTable() {
	reminder := object.NewType(func(r *Reminder) *object.Extra { return &r.extra },
		object.String("method", func(r *Reminder) *string { return &r.Method }).
			Must(constraint.ReminderMethod, &listEntryBody),
		object.OptInt("minutes", func(r *Reminder) **int64 { return &r.Minutes }).
			Must(constraint.ReminderMinutes, &listEntryBody),
	)
	notification := object.NewType(func(n *Notification) *object.Extra { return &n.extra },
		object.String("method", func(n *Notification) *string { return &n.Method }).
			Must(constraint.NotificationMethod, &listEntryBody),
		object.String("type", func(n *Notification) *string { return &n.Type }).
			Must(constraint.NotificationType, &listEntryBody),
	)
	settings := object.NewType(func(s *NotificationSettings) *object.Extra { return &s.extra },
		object.Array("notifications", func(s *NotificationSettings) *[]Notification { return &s.Notifications }, notification),
	)
	listEntryTable = object.NewType(func(e *ListEntry) *object.Extra { return &e.extra },
		object.String("kind", func(e *ListEntry) *string { return &e.Kind }),
		object.String("etag", func(e *ListEntry) *string { return &e.ETag }),
		object.String("id", func(e *ListEntry) *string { return &e.ID }),
		object.String("accessRole", func(e *ListEntry) *string { return &e.AccessRole }).ServerWritten(&listEntryReadOnly),
		object.String("dataOwner", func(e *ListEntry) *string { return &e.DataOwner }).ServerWritten(&listEntryReadOnly),
		object.String("summary", func(e *ListEntry) *string { return &e.Summary }).ServerWritten(&listEntryReadOnly),
		object.String("summaryOverride", func(e *ListEntry) *string { return &e.SummaryOverride }),
		object.String("description", func(e *ListEntry) *string { return &e.Description }).ServerWritten(&listEntryReadOnly),
		object.String("location", func(e *ListEntry) *string { return &e.Location }).ServerWritten(&listEntryReadOnly),
		object.String("timeZone", func(e *ListEntry) *string { return &e.TimeZone }).ServerWritten(&listEntryReadOnly),
		object.String("colorId", func(e *ListEntry) *string { return &e.ColorID }),
		object.String("backgroundColor", func(e *ListEntry) *string { return &e.BackgroundColor }),
		object.String("foregroundColor", func(e *ListEntry) *string { return &e.ForegroundColor }),
		object.Bool("primary", func(e *ListEntry) *bool { return &e.Primary }).ServerWritten(&listEntryReadOnly),
		object.Bool("deleted", func(e *ListEntry) *bool { return &e.Deleted }).ServerWritten(&listEntryReadOnly),
		object.Bool("hidden", func(e *ListEntry) *bool { return &e.Hidden }),
		object.Bool("selected", func(e *ListEntry) *bool { return &e.Selected }),
		object.Bool("autoAcceptInvitations", func(e *ListEntry) *bool { return &e.AutoAcceptInvitations }).ServerWritten(&listEntryReadOnly),
		object.Array("defaultReminders", func(e *ListEntry) *[]Reminder { return &e.DefaultReminders }, reminder),
		object.Object("notificationSettings", func(e *ListEntry) **NotificationSettings { return &e.NotificationSettings }, settings),
		object.Object("conferenceProperties", func(e *ListEntry) **ConferenceProperties { return &e.ConferenceProperties }, conferencePropertiesTable()),
	)
}

func makeACLRuleTable() {
	scope := object.NewType(func(s *ACLScope) *object.Extra { return &s.extra },
		object.String("type", func(s *ACLScope) *string { return &s.Type }).Must(constraint.ACLScopeType, &aclBody),
		object.String("value", func(s *ACLScope) *string { return &s.Value }),
	)
	aclRuleTable = object.NewType(func(r *ACLRule) *object.Extra { return &r.extra },
		object.String("kind", func(r *ACLRule) *string { return &r.Kind }),
		object.String("etag", func(r *ACLRule) *string { return &r.ETag }),
		object.String("id", func(r *ACLRule) *string { return &r.ID }),
		object.String("role", func(r *ACLRule) *string { return &r.Role }).Must(constraint.ACLRole, &aclBody),
		object.Object("scope", func(r *ACLRule) **ACLScope { return &r.Scope }, scope),
	)
}

func makeFreebusyTable() {
	item := object.NewType(func(i *FreebusyItem) *object.Extra { return &i.extra },
		object.String("id", func(i *FreebusyItem) *string { return &i.ID }),
	)
	freebusyTable = object.NewType(func(q *FreebusyQuery) *object.Extra { return &q.extra },
		object.String("timeMin", func(q *FreebusyQuery) *string { return &q.TimeMin }).Must(constraint.FreebusyTime, &freebusyBody),
		object.String("timeMax", func(q *FreebusyQuery) *string { return &q.TimeMax }).Must(constraint.FreebusyTime, &freebusyBody),
		object.String("timeZone", func(q *FreebusyQuery) *string { return &q.TimeZone }).Must(constraint.IANAZone, &freebusyBody),
		object.OptInt("calendarExpansionMax", func(q *FreebusyQuery) **int64 { return &q.CalendarExpansionMax }).
			Must(constraint.CalendarExpansion, &freebusyBody),
		object.OptInt("groupExpansionMax", func(q *FreebusyQuery) **int64 { return &q.GroupExpansionMax }).
			Must(constraint.GroupExpansion, &freebusyBody),
		object.Array("items", func(q *FreebusyQuery) *[]FreebusyItem { return &q.Items }, item),
	)
}

func makeChannelTable() {
	channelTable = object.NewType(func(c *Channel) *object.Extra { return &c.extra },
		object.String("kind", func(c *Channel) *string { return &c.Kind }),
		object.String("id", func(c *Channel) *string { return &c.ID }).
			Must(constraint.ChannelIDLength, &watchChannel).
			Must(constraint.ChannelIDCharacters, &watchChannel),
		object.String("type", func(c *Channel) *string { return &c.Type }).Must(constraint.ChannelType, &watchChannel),
		object.String("address", func(c *Channel) *string { return &c.Address }).Must(constraint.ChannelAddress, &watchChannel),
		object.String("token", func(c *Channel) *string { return &c.Token }).Must(constraint.ChannelToken, &watchChannel),
		object.Any("expiration", func(c *Channel) *json.RawMessage { return &c.Expiration }),
		object.StringMap("params", func(c *Channel) *map[string]string { return &c.Params }),
		object.Bool("payload", func(c *Channel) *bool { return &c.Payload }),
		object.String("resourceId", func(c *Channel) *string { return &c.ResourceID }),
		object.String("resourceUri", func(c *Channel) *string { return &c.ResourceURI }),
	)
}
