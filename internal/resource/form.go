package resource

import (
	"maps"

	"github.com/calrules/calrules/diag"
)

// Form is the form of a value in an answer of the public service.
type Form struct {
	Ref     string           // the name of another form or of a resource that has a table; then the other fields are empty
	Type    string           // the type in JSON, or [Time]
	Each    *Form            // of the elements of an array, or of the values of an object that is a map
	Members map[string]*Form // of an object; it may have others
}

// Time is the type of a string that is a timestamp.
const Time = "time"

// Event is the reference to the form of an event, which this package does not know.
const Event = "Event"

// AnswerTo returns the name of the form of the answer to an operation, or "" for an empty one. Source: the reference of the
// public service.
func AnswerTo(on diag.When) string {
	for name, ops := range answersTo {
		if ops.Has(on) {
			return name
		}
	}
	return ""
}

var answersTo = map[string]diag.When{
	Event:               diag.Write | diag.Get | diag.Move | diag.QuickAdd,
	"Events":            diag.List | diag.Instances,
	"ACLRule":           diag.ACLGet | diag.ACLInsert | diag.ACLPatch | diag.ACLUpdate,
	"ACLRules":          diag.ACLList,
	"CalendarListEntry": listEntryWrites | diag.CalendarListGet,
	"CalendarList":      diag.CalendarListList,
	"Calendar":          diag.CalendarsGet | diag.CalendarsInsert | diag.CalendarsPatch | diag.CalendarsUpdate,
	"Colors":            diag.ColorsGet,
	"FreeBusyAnswer":    diag.FreebusyQuery,
	"Setting":           diag.SettingsGet,
	"Settings":          diag.SettingsList,
	"Channel":           watches,
}

// emptyAnswers are the operations known to answer nothing.
const emptyAnswers = diag.Delete | diag.ACLDelete | diag.CalendarListDelete | diag.CalendarsDelete | diag.CalendarsClear | diag.ChannelsStop

// wholes are the operations whose bodies are whole resources, by the name of the resource.
var wholes = map[string]diag.When{
	"ACLRule": diag.ACLInsert, "Calendar": diag.CalendarsUpdate, "CalendarListEntry": diag.CalendarListInsert, "Channel": diag.ChannelsStop,
}

// kindOfForm are the values of the member kind, by the name of the form.
var kindOfForm = map[string]string{
	"ACLRule": "calendar#aclRule", "ACLRules": "calendar#acl", "Calendar": "calendar#calendar", "CalendarList": "calendar#calendarList",
	"CalendarListEntry": "calendar#calendarListEntry", "Channel": "api#channel", "Colors": "calendar#colors", "Events": "calendar#events",
	"FreeBusyAnswer": "calendar#freeBusy", "Setting": "calendar#setting", "Settings": "calendar#settings",
}

// Forms returns the forms of answers that no operation takes, by name.
func Forms() map[string]*Form { return maps.Clone(forms) }

var (
	aString = &Form{Type: "string"}
	aTime   = &Form{Type: Time}
)

var forms = map[string]*Form{
	"ACLRules":     page("ACLRule", nil),
	"CalendarList": page("CalendarListEntry", nil),
	"Settings":     page("Setting", nil),
	"Setting":      objectOf(texts("kind", "etag", "id", "value")),
	"Events": page(Event, map[string]*Form{
		"summary": aString, "description": aString, "timeZone": aString, "accessRole": aString, "updated": aTime, "defaultReminders": listOf(ref("Reminder")),
	}),
	"Colors":           objectOf(map[string]*Form{"kind": aString, "updated": aTime, "calendar": mapOf(ref("Color")), "event": mapOf(ref("Color"))}),
	"Color":            objectOf(texts("background", "foreground")),
	"FreeBusyAnswer":   objectOf(map[string]*Form{"kind": aString, "timeMin": aTime, "timeMax": aTime, "calendars": mapOf(ref("FreeBusyCalendar")), "groups": mapOf(ref("FreeBusyGroup"))}),
	"FreeBusyCalendar": objectOf(map[string]*Form{"errors": listOf(ref("FreeBusyError")), "busy": listOf(objectOf(map[string]*Form{"start": aTime, "end": aTime}))}),
	"FreeBusyGroup":    objectOf(map[string]*Form{"errors": listOf(ref("FreeBusyError")), "calendars": listOf(aString)}),
	"FreeBusyError":    objectOf(texts("domain", "reason")),
	"Error": objectOf(map[string]*Form{"error": objectOf(map[string]*Form{
		"code": {Type: "integer"}, "message": aString, "status": aString,
		"errors": listOf(objectOf(texts("domain", "reason", "message", "locationType", "location"))),
	})}),
}

// anObject is the form of an object with unknown members.
var anObject = objectOf(nil)

// pageOfDocuments is a page of events as the documents describe it.
var pageOfDocuments = objectOf(map[string]*Form{"items": listOf(ref(Event))})

func ref(name string) *Form                   { return &Form{Ref: name} }
func listOf(each *Form) *Form                 { return &Form{Type: "array", Each: each} }
func mapOf(each *Form) *Form                  { return &Form{Type: "object", Each: each} }
func objectOf(members map[string]*Form) *Form { return &Form{Type: "object", Members: members} }

// texts returns the forms of members that are strings.
func texts(names ...string) map[string]*Form {
	of := map[string]*Form{}
	for _, name := range names {
		of[name] = aString
	}
	return of
}

// page returns the form of a page of a list.
func page(items string, more map[string]*Form) *Form {
	of := texts("kind", "etag", "nextPageToken", "nextSyncToken")
	of["items"] = listOf(ref(items))
	maps.Copy(of, more)
	return objectOf(of)
}
