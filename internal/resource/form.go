package resource

import (
	"maps"
	"sync"

	"github.com/calrules/calrules/diag"
)

// Form is the form of a value in a response from the public service.
type Form struct {
	Ref     string           // the name of another form, or of a resource with a table; the other fields are then empty
	Type    string           // the JSON type, or [Time]
	Each    *Form            // the form of the elements of an array, or of the values of a map
	Members map[string]*Form // the known members of an object
}

// Time is the type of strings that are timestamps.
const Time = "time"

// Event is a reference to the form of an event, which is defined in another package.
const Event = "Event"

// AnswerTo returns the name of the form for the response to an operation, or "" if the response is empty. Source: the
// reference of the public service.
func AnswerTo(on diag.When) string {
	for _, a := range answers {
		if a.to.Has(on) {
			return a.form
		}
	}
	return ""
}

// answer describes the responses of a form.
type answer struct {
	form  string
	to    diag.When // the operations with such a response
	kind  string    // the value of the member kind
	whole diag.When // an operation whose body is the whole resource; 0 for what is not a resource
}

var answers = []answer{
	{Event, diag.Write | diag.Get | diag.Move | diag.QuickAdd, "", 0},
	{"Events", diag.List | diag.Instances, "calendar#events", 0},
	{"ACLRule", diag.ACLGet | diag.ACLInsert | diag.ACLPatch | diag.ACLUpdate, "calendar#aclRule", diag.ACLInsert},
	{"ACLRules", diag.ACLList, "calendar#acl", 0},
	{"CalendarListEntry", listEntryWrites | diag.CalendarListGet, "calendar#calendarListEntry", diag.CalendarListInsert},
	{"CalendarList", diag.CalendarListList, "calendar#calendarList", 0},
	{"Calendar", diag.CalendarsGet | diag.CalendarsInsert | diag.CalendarsPatch | diag.CalendarsUpdate, "calendar#calendar", diag.CalendarsUpdate},
	{"Colors", diag.ColorsGet, "calendar#colors", 0},
	{"FreeBusyAnswer", diag.FreebusyQuery, "calendar#freeBusy", 0},
	{"Setting", diag.SettingsGet, "calendar#setting", 0},
	{"Settings", diag.SettingsList, "calendar#settings", 0},
	{"Channel", watches, "api#channel", diag.ChannelsStop},
}

// answerOf returns the description of a form, which is empty for a form that occurs only within a response.
func answerOf(form string) (found answer) {
	for _, a := range answers {
		if a.form == form {
			found = a
		}
	}
	return found
}

// emptyAnswers is the set of operations that are known to return an empty response.
const emptyAnswers = diag.Delete | diag.ACLDelete | diag.CalendarListDelete | diag.CalendarsDelete | diag.CalendarsClear | diag.ChannelsStop

// Forms returns, by name, the forms that occur only in answers.
func Forms() map[string]*Form { return maps.Clone(forms()) }

var (
	aString = &Form{Type: "string"}
	aTime   = &Form{Type: Time}
)

var forms = sync.OnceValue(func() map[string]*Form {
	return map[string]*Form{
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
})

// anObject is the form of an object with unknown members.
var anObject = objectOf(nil)

// pageOfDocuments is the form that the documents specify for a page of events.
var pageOfDocuments = objectOf(map[string]*Form{"items": listOf(ref(Event))})

func ref(name string) *Form                   { return &Form{Ref: name} }
func listOf(each *Form) *Form                 { return &Form{Type: "array", Each: each} }
func mapOf(each *Form) *Form                  { return &Form{Type: "object", Each: each} }
func objectOf(members map[string]*Form) *Form { return &Form{Type: "object", Members: members} }

// texts returns the forms of members with string values.
func texts(names ...string) map[string]*Form {
	of := map[string]*Form{}
	for _, name := range names {
		of[name] = aString
	}
	return of
}

// page returns the form of a list page, with additional members.
func page(items string, more map[string]*Form) *Form {
	of := texts("kind", "etag", "nextPageToken", "nextSyncToken")
	of["items"] = listOf(ref(items))
	maps.Copy(of, more)
	return objectOf(of)
}
