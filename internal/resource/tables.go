package resource

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
)

type tables struct {
	listEntry        *object.Table[*CalendarListEntry]
	listEntryService object.Set // the members that only the service writes
	kinds            []kind     // the kinds of bodies, which together cover [diag.OtherBodies]
}

// made returns the tables, which are created on first use, since most programs check only events. The variable is set by init,
// because an initializer would cause an initialization cycle with the rules.
var made func() *tables

func init() { made = sync.OnceValue(makeTables) }

func makeTables() *tables {
	listEntry, channel := listEntryTable(), channelTable()
	return &tables{
		listEntry:        listEntry,
		listEntryService: listEntry.Where(func(d *object.Declaration) bool { return d.Writer == object.Service }),
		kinds: []kind{
			newKind(diag.CalendarsInsert|diag.CalendarsPatch|diag.CalendarsUpdate, calendarTable()),
			newKind(listEntryWrites, listEntry),
			newKind(diag.ACLInsert|diag.ACLPatch|diag.ACLUpdate, aclRuleTable()),
			newKind(diag.FreebusyQuery, freebusyTable()),
			newKind(watches, channel),
			newKind(diag.ChannelsStop, channel),
		},
	}
}

// adviceOnly marks a limit whose violation leads to advice instead of a rejection.
const adviceOnly = "as advice"

// watches is the set of operations that open a channel.
const watches = diag.EventsWatch | diag.ACLWatch | diag.CalendarListWatch | diag.SettingsWatch

// kind is a kind of body with its table.
type kind struct {
	on     diag.When // the operations with this kind of body
	decode func(text []byte, reading object.Reading) (body any, problems []object.Problem)
	visit  func(at diag.Pointer, do func(diag.Pointer, *object.Declaration, object.GoField))
	has    func(name string) bool
}

func newKind[T any](on diag.When, table *object.Table[*T]) kind {
	return kind{on, func(text []byte, reading object.Reading) (any, []object.Problem) {
		body := new(T)
		return body, table.Decode(text, body, reading)
	}, table.Visit, table.HasName}
}

// kindOf returns the kind of an operation's body. The operation must be one of [diag.OtherBodies].
func kindOf(on diag.When) *kind {
	kinds := made().kinds
	return &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.on.Has(on) })]
}

// Visit calls do for every member of an operation's body, as [object.Table.Visit] does. Visit does nothing for an operation
// outside [diag.OtherBodies].
func Visit(on diag.When, do func(path diag.Pointer, d *object.Declaration, field object.GoField)) {
	if diag.OtherBodies.Has(on) {
		kindOf(on).visit("", do)
	}
}

// ReadOnly returns the names of the members in an operation's body that only the service writes.
func ReadOnly(on diag.When) (names []string) {
	Visit(on, func(_ diag.Pointer, d *object.Declaration, _ object.GoField) {
		if d.Writer == object.Service {
			names = append(names, d.Name)
		}
	})
	return names
}

// Members returns a function that reports whether the body of an operation, one of [diag.OtherBodies], can have the
// named member.
func Members(on diag.When) func(name string) bool { return kindOf(on).has }

// Writes returns the operations with the same kind of body as the given operation, which must be one of [diag.OtherBodies].
func Writes(on diag.When) diag.When { return kindOf(on).on }

func conferencePropertiesTable() *object.Table[*ConferenceProperties] {
	return object.NewTable(func(p *ConferenceProperties) *object.Extra { return &p.extra },
		object.Strings("allowedConferenceSolutionTypes", func(p *ConferenceProperties) *[]string { return &p.AllowedTypes }),
	)
}

func calendarTable() *object.Table[*Calendar] {
	label := object.NewTable(func(l *EventLabel) *object.Extra { return &l.extra },
		object.String("id", func(l *EventLabel) *string { return &l.ID }),
		object.String("name", func(l *EventLabel) *string { return &l.Name }).Must(constraint.CalendarLabelName, &calendarLabels),
		object.String("backgroundColor", func(l *EventLabel) *string { return &l.BackgroundColor }).
			Require(&calendarLabels),
	)
	labels := object.NewTable(func(p *LabelProperties) *object.Extra { return &p.extra },
		object.Array("eventLabels", func(p *LabelProperties) *[]EventLabel { return &p.EventLabels }, label).
			Must(constraint.CalendarLabels, &calendarLabels),
	)
	return object.NewTable(func(c *Calendar) *object.Extra { return &c.extra },
		object.String("kind", func(c *Calendar) *string { return &c.Kind }),
		object.String("etag", func(c *Calendar) *string { return &c.ETag }),
		object.String("id", func(c *Calendar) *string { return &c.ID }),
		object.String("summary", func(c *Calendar) *string { return &c.Summary }).RequireOn(needSummary, &calendarBody).OrEmpty(),
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

func listEntryTable() *object.Table[*CalendarListEntry] {
	reminder := object.NewTable(func(r *Reminder) *object.Extra { return &r.extra },
		object.String("method", func(r *Reminder) *string { return &r.Method }).
			Require(&listEntryBody).Must(constraint.ReminderMethod, &listEntryBody),
		object.OptInt("minutes", func(r *Reminder) **int64 { return &r.Minutes }).
			Require(&listEntryBody).Must(constraint.ReminderMinutes, &listEntryBody),
	)
	notification := object.NewTable(func(n *Notification) *object.Extra { return &n.extra },
		object.String("method", func(n *Notification) *string { return &n.Method }).
			Require(&listEntryBody).Must(constraint.NotificationMethod, &listEntryBody),
		object.String("type", func(n *Notification) *string { return &n.Type }).
			Require(&listEntryBody).Must(constraint.NotificationType, &listEntryBody),
	)
	settings := object.NewTable(func(s *NotificationSettings) *object.Extra { return &s.extra },
		object.Array("notifications", func(s *NotificationSettings) *[]Notification { return &s.Notifications }, notification),
	)
	return object.NewTable(func(e *CalendarListEntry) *object.Extra { return &e.extra },
		object.String("kind", func(e *CalendarListEntry) *string { return &e.Kind }),
		object.String("etag", func(e *CalendarListEntry) *string { return &e.ETag }),
		object.String("id", func(e *CalendarListEntry) *string { return &e.ID }).RequireOn(diag.CalendarListInsert, &listEntryBody),
		object.String("accessRole", func(e *CalendarListEntry) *string { return &e.AccessRole }).ServerWritten(&listEntryReadOnly),
		object.String("dataOwner", func(e *CalendarListEntry) *string { return &e.DataOwner }).ServerWritten(&listEntryReadOnly),
		object.String("summary", func(e *CalendarListEntry) *string { return &e.Summary }).ServerWritten(&listEntryReadOnly),
		object.String("summaryOverride", func(e *CalendarListEntry) *string { return &e.SummaryOverride }),
		object.String("description", func(e *CalendarListEntry) *string { return &e.Description }).ServerWritten(&listEntryReadOnly),
		object.String("location", func(e *CalendarListEntry) *string { return &e.Location }).ServerWritten(&listEntryReadOnly),
		object.String("timeZone", func(e *CalendarListEntry) *string { return &e.TimeZone }).ServerWritten(&listEntryReadOnly),
		object.String("colorId", func(e *CalendarListEntry) *string { return &e.ColorID }),
		object.String("backgroundColor", func(e *CalendarListEntry) *string { return &e.BackgroundColor }),
		object.String("foregroundColor", func(e *CalendarListEntry) *string { return &e.ForegroundColor }),
		object.Bool("primary", func(e *CalendarListEntry) *bool { return &e.Primary }).ServerWritten(&listEntryReadOnly),
		object.Bool("deleted", func(e *CalendarListEntry) *bool { return &e.Deleted }).ServerWritten(&listEntryReadOnly),
		object.Bool("hidden", func(e *CalendarListEntry) *bool { return &e.Hidden }),
		object.Bool("selected", func(e *CalendarListEntry) *bool { return &e.Selected }),
		object.Bool("autoAcceptInvitations", func(e *CalendarListEntry) *bool { return &e.AutoAcceptInvitations }).ServerWritten(&listEntryReadOnly),
		object.Array("defaultReminders", func(e *CalendarListEntry) *[]Reminder { return &e.DefaultReminders }, reminder),
		object.Object("notificationSettings", func(e *CalendarListEntry) **NotificationSettings { return &e.NotificationSettings }, settings),
		object.Object("conferenceProperties", func(e *CalendarListEntry) **ConferenceProperties { return &e.ConferenceProperties }, conferencePropertiesTable()),
	)
}

func aclRuleTable() *object.Table[*ACLRule] {
	scope := object.NewTable(func(s *Scope) *object.Extra { return &s.extra },
		object.String("type", func(s *Scope) *string { return &s.Type }).RequireOn(needScope, &aclBody).Must(constraint.ACLScopeType, &aclBody),
		object.String("value", func(s *Scope) *string { return &s.Value }),
	)
	return object.NewTable(func(r *ACLRule) *object.Extra { return &r.extra },
		object.String("kind", func(r *ACLRule) *string { return &r.Kind }),
		object.String("etag", func(r *ACLRule) *string { return &r.ETag }),
		object.String("id", func(r *ACLRule) *string { return &r.ID }),
		object.String("role", func(r *ACLRule) *string { return &r.Role }).
			RequireOn(diag.ACLInsert, &aclBody).Must(constraint.ACLRole, &aclBody),
		object.Object("scope", func(r *ACLRule) **Scope { return &r.Scope }, scope).RequireOn(needScope, &aclBody),
	)
}

func freebusyTable() *object.Table[*FreeBusy] {
	item := object.NewTable(func(i *Item) *object.Extra { return &i.extra },
		object.String("id", func(i *Item) *string { return &i.ID }).Require(&freebusyBody),
	)
	return object.NewTable(func(q *FreeBusy) *object.Extra { return &q.extra },
		object.String("timeMin", func(q *FreeBusy) *string { return &q.TimeMin }).
			Require(&freebusyBody).Must(constraint.FreebusyTime, &freebusyBody),
		object.String("timeMax", func(q *FreeBusy) *string { return &q.TimeMax }).
			Require(&freebusyBody).Must(constraint.FreebusyTime, &freebusyBody),
		object.String("timeZone", func(q *FreeBusy) *string { return &q.TimeZone }).Must(constraint.IANAZone, &freebusyBody),
		object.OptInt("calendarExpansionMax", func(q *FreeBusy) **int64 { return &q.CalendarExpansionMax }).
			MustIf(constraint.CalendarExpansion, &freebusyBody, adviceOnly),
		object.OptInt("groupExpansionMax", func(q *FreeBusy) **int64 { return &q.GroupExpansionMax }).
			MustIf(constraint.GroupExpansion, &freebusyBody, adviceOnly),
		object.Array("items", func(q *FreeBusy) *[]Item { return &q.Items }, item),
	)
}

func channelTable() *object.Table[*Channel] {
	return object.NewTable(func(c *Channel) *object.Extra { return &c.extra },
		object.String("kind", func(c *Channel) *string { return &c.Kind }),
		object.String("id", func(c *Channel) *string { return &c.ID }).Require(&watchChannel, &channelStop).
			Must(constraint.ChannelIDLength, &watchChannel).
			Must(constraint.ChannelIDCharacters, &watchChannel),
		object.String("type", func(c *Channel) *string { return &c.Type }).Require(&watchChannel).Must(constraint.ChannelType, &watchChannel),
		object.String("address", func(c *Channel) *string { return &c.Address }).Require(&watchChannel).Must(constraint.ChannelAddress, &watchChannel),
		object.String("token", func(c *Channel) *string { return &c.Token }).Must(constraint.ChannelToken, &watchChannel),
		object.Any("expiration", func(c *Channel) *json.RawMessage { return &c.Expiration }),
		object.StringMap("params", func(c *Channel) *map[string]string { return &c.Params }),
		object.Bool("payload", func(c *Channel) *bool { return &c.Payload }),
		object.String("resourceId", func(c *Channel) *string { return &c.ResourceID }).Require(&channelStop),
		object.String("resourceUri", func(c *Channel) *string { return &c.ResourceURI }),
	)
}
