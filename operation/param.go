package operation

import "github.com/calrules/calrules/limits"

// ParamType is the type of a query parameter's value.
type ParamType string

// The types that the documents give.
const (
	String  ParamType = "string"
	Integer ParamType = "integer" // decimal digits without sign or leading zeros
	Boolean ParamType = "boolean" // true or false
	Enum    ParamType = "enum"    // a string of a closed list
)

// Param is one query parameter of an operation. All are single-valued.
type Param struct {
	Name     string    `json:"name"` // the case of letters matters
	Type     ParamType `json:"type"`
	Required bool      `json:"required,omitzero"` // present and not empty

	// Min and Max bound the value of an Integer, both inclusive. A Max of 0 is no bound.
	Min int `json:"min,omitzero"`
	Max int `json:"max,omitzero"`

	// Values are the values of an Enum, or the one value that a Boolean has to have.
	Values []string `json:"values,omitzero"`

	// Default is the value that the documents give an absent parameter; empty where they
	// give none. That of sendUpdates is none of its values.
	Default string `json:"default,omitzero"`

	// Deprecated says what to use instead; it is empty for a parameter in good standing.
	Deprecated string `json:"deprecated,omitzero"`

	// Section is where the parameter is written of.
	Section string `json:"section"`
}

// The names of the parameters.
const (
	conferenceDataVersion = "conferenceDataVersion"
	eventLabelVersion     = "eventLabelVersion"
	maxAttendees          = "maxAttendees"
	sendNotifications     = "sendNotifications"
	sendUpdates           = "sendUpdates"
	supportsAttachments   = "supportsAttachments"
	syncToken             = "syncToken"
	updatedMin            = "updatedMin"
	showDeleted           = "showDeleted"
	iCalUID               = "iCalUID"
	destination           = "destination"
	text                  = "text"
	newDataOwner          = "newDataOwner"
	useAdminAccess        = "useAdminAccess"
)

// The sections of the document.
const (
	sectionEndpoints      = "calendar.md, Endpoints"
	sectionBehavior       = "calendar.md, Behavior rules per operation"
	sectionInsert         = "calendar.md, Events insert in detail"
	sectionAuthentication = "calendar.md, Authentication"
	sectionNotifications  = "calendar.md, Events"
)

var (
	paramConferenceDataVersion = Param{
		Name: conferenceDataVersion, Type: Integer, Section: sectionInsert,
		Min: limits.FeatureVersionMin, Max: limits.FeatureVersionMax, Default: "0",
	}
	paramEventLabelVersion = Param{
		Name: eventLabelVersion, Type: Integer, Section: sectionInsert,
		Min: limits.FeatureVersionMin, Max: limits.FeatureVersionMax, Default: "0",
	}
	paramMaxAttendees = Param{
		Name: maxAttendees, Type: Integer, Section: sectionInsert,
		Min: limits.MaxAttendeesMin,
	}
	paramSendNotifications = Param{
		Name: sendNotifications, Type: Boolean, Section: sectionInsert,
		Default: "false", Deprecated: "use sendUpdates",
	}
	paramSendUpdates = Param{
		Name: sendUpdates, Type: Enum, Section: sectionInsert,
		Values: limits.SendUpdates.Values(), Default: "false",
	}
	paramSupportsAttachments = Param{
		Name: supportsAttachments, Type: Boolean, Section: sectionInsert,
		Default: "false",
	}
)

// The parameters of each operation that has any. Source: Behavior rules per operation;
// Events insert in detail.
var (
	insertParams = []Param{
		paramConferenceDataVersion,
		paramEventLabelVersion,
		paramMaxAttendees,
		paramSendNotifications,
		paramSendUpdates,
		paramSupportsAttachments,
	}

	// writeParams are those that the rules about conferenceData, eventLabelId and
	// attachments ask of every request that writes an event.
	writeParams = []Param{
		paramConferenceDataVersion,
		paramEventLabelVersion,
		paramSupportsAttachments,
	}

	// retrievalParams is the attendee limit on retrieval, of which the field
	// attendeesOmitted speaks.
	retrievalParams = []Param{paramMaxAttendees}

	listParams = []Param{
		{Name: syncToken, Type: String, Section: sectionBehavior},
		{Name: updatedMin, Type: String, Section: sectionBehavior},
		{Name: showDeleted, Type: Boolean, Section: sectionBehavior},
		{Name: iCalUID, Type: String, Section: sectionBehavior},
		paramMaxAttendees,
	}

	moveParams = []Param{
		{Name: destination, Type: String, Required: true, Section: sectionBehavior},
	}

	quickAddParams = []Param{
		{Name: text, Type: String, Required: true, Section: sectionBehavior},
	}

	transferParams = []Param{
		{Name: newDataOwner, Type: String, Required: true, Section: sectionBehavior},
		{Name: useAdminAccess, Type: Boolean, Required: true, Values: []string{"true"}, Section: sectionBehavior},
	}
)
