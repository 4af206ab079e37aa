package constraint

// Each number belongs to the [Constraint] with the same name, whose comment states the unit and the source. Lengths are
// in characters.
const (
	SequenceMin              = 0
	PropertyKeyMaxLength     = 44   // the service silently drops properties with longer keys
	PropertyValueMaxLength   = 1024 // the service silently truncates longer values
	GadgetSizeMin            = 1
	AttachmentsMax           = 25
	AttendeesMany            = 200 // with more attendees, the service does not pass on their responses
	AdditionalGuestsMin      = 0
	ConferenceNotesMaxLength = 2048
	EntryPointsMin           = 1
	EntryPointsOfTypeMax     = 1
	EntryPointURIMaxLength   = 1300
	EntryPointLabelMaxLength = 512
	EntryPointCodeMaxLength  = 128
	ReminderOverridesMax     = 5
	ReminderMinutesMin       = 0
	ReminderMinutesMax       = 40320
	FeatureVersionMin        = 0
	FeatureVersionMax        = 1
	MaxAttendeesMin          = 1

	// The numbers for the other resources.
	CalendarLabelsMax          = 200
	CalendarLabelNameMaxLength = 50
	ChannelIDMaxLength         = 64
	ChannelTokenMaxLength      = 256
	CalendarExpansionMax       = 50
	GroupExpansionMax          = 100
	FreebusyDaysMax            = 90 // not documented: reported by users who hit the limit
)

const (
	// EventKind is the kind of every event, a constant. Source: Event resource.
	EventKind = "calendar#event"

	// PatchQuotaUnits is the cost in quota units of a patch request for any resource. Source: Behavior rules per
	// operation; Limits.
	PatchQuotaUnits = 3

	// ServiceVersion is the version of the service, which is part of its base URL. Source: Versioning.
	ServiceVersion = 3

	// JSONMaxBytes is the default maximum length of a body in bytes. The number is the project's choice.
	JSONMaxBytes = 4 << 20

	// JSONMaxDepth is the maximum nesting depth of the objects and arrays in a body, including the body itself. RFC 8259 section 9
	// lets parsers set a limit; the number is the project's choice.
	JSONMaxDepth = 100

	// InstancesDefault and InstancesMax are the default and the maximum number of instances in an answer that lists the instances
	// of a series. CountedMax is the maximum number of instances to count. The numbers are the project's choice.
	InstancesDefault = 1000
	InstancesMax     = 10_000
	CountedMax       = 100_000
)
