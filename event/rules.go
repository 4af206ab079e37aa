package event

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonrule"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// check is the type of the functions that check the rules of this package.
type check = func(*input, engine.Reporter)

// rules lists the rules of this package, in the order in which they run.
var rules = slices.Concat(jsonrule.Rules(), []*diag.Rule{
	&iCalUIDChanged, &instanceOfSeries, &eventKind, &eventIDAlphabet, &eventIDLength, &eventIDUnique, &eventIDGenerate,
	&eventIDWithICalUID,
	&eventReadOnly, &eventServerSet, &organizerReadOnly, &organizerAttendeeFlag, &eventTimestamps,
	&colorKnown, &labelKnown, &labelVersion, &labelColorIgnored, &labelSupersedes,
	&startRequired, &endRequired, &endUnspecified, &endProvided, &timeDateFormat, &timeDateTimeFormat, &timeOffset,
	&timeZoneIANA, &timeZoneRecurring, &timeZoneRecurringAllDay, &timeOneForm, &timeSameForm, &timeOrder, &timeEmpty,
	&timeFraction, &timeOffsetSeason, &recurrenceOnInstance, &recurringIDWritten, &originalStartMember,
	&statusEnum, &statusDefault, &transparencyEnum, &visibilityEnum, &visibilityConfidential, &sequenceNegative,
	&guestsDefaults, &anyoneCanAddSelf, &extendedProperties, &extendedPropertiesSize,
	&attendeeEmailRequired, &attendeeEmailAddress, &attendeeDuplicate, &attendeeResponseEnum, &attendeeResponseNew,
	&attendeeGuests, &attendeeAsyncOperation, &attendeeDefaults, &attendeeServiceAccount, &attendeeMax,
	&attendeeRemoved, &attendeeAnswerLost, &attendeeOmittedIgnored, &attendeeMany, &attendeeResponseDefault,
	&gadgetDeprecated, &gadgetSize, &gadgetDisplay, &gadgetPreferences, &remindersMax, &remindersMethod,
	&remindersMinutes, &remindersBoth, &remindersAlone, &remindersUnset, &sourceURL, &sourceURLForm, &attachmentsMax,
	&attachmentsFileURL, &attachmentsSupports,
	&eventTypeEnum, &eventTypeFromMail, &typeUpdateAbsent, &typePrimaryOnly, &typeTimedOnly, &typeOpaque, &typePlain,
	&typePropertiesRequired, &workingLocationForm, &visibilityInstance, &workingLocationType, &workingLocationOtherFields,
	&workingLocationEventType, &workingLocationBuilding, &focusTimeAutoDecline, &focusTimeChatStatus, &focusTimeEventType,
	&outOfOfficeAutoDecline, &outOfOfficeEventType,
	&birthdayTypeEnum, &birthdayTypeCreate, &birthdayContact, &birthdayShape, &birthdayForm, &birthdayEventType,
	&birthdayPrivateProperties, &birthdayDelete,
	&cancelledException, &cancelledDeleted, &cancelledGuaranteed, &cancelledDetails, &cancelledList, &cancelledGet,
	&cancelledRestorable,
	&timeAnswerOffset, &remindersAbsent, &sequenceEffect, &answerAbsent, &cancelledListExceptions,
	&idMismatch, &updateETag, &startEndRequired, &recurringIDImmutable, &originalStartImmutable, &privateCopyImmutable,
	&birthdayImmutable, &eventTypeImmutable, &eventLocked, &fromMailModify, &birthdayModify, &attendeeResourceLate,
	&sourceCreatorOnly, &statusUnspecified, &responseStatusUnspecified, &recurrenceEmptied, &labelRemove,
	&updatedMainData, &sequenceDecrease, &organizerOnly, &statusModifyCancelled, &recurrenceReanchored,
	&attendeeOmittedUpdate, &extendedPropertiesMerge, &patchMerge, &patchWhole, &patchQuota, &updateWhole,
	&iCalUIDRequired, &organizerEmailAddress, &importType, &importPrivateCopy, &importParty, &moveType, &moveInstance, &moveOrganizer,
	&moveRemainder, &deleteExists, &deleteGone, &statusDelete, &sendUpdatesAbsent, &instancesRecurring,
	&instancesIdentity, &answerLimits, &answerEffect, &dialectMixed,
})

// boundRules contains up to 64 executable rules for an occasion.
type boundRules struct {
	rules  []boundRule
	readBy [64]uint64 // for each member, the indexes of the rules that read it, as a bit set
}

type boundRule struct {
	*diag.Rule
	check check
}

// always is the member set of a rule that is always checked. The bit of always does not represent a member.
const always object.Set = 1 << 63

// add adds a rule. For a modification, only rules with the scope [diag.OfEvent] can be skipped.
func (b *boundRules) add(r *diag.Rule, on diag.When) {
	isAboutChange := diag.Modify.Has(on) && r.Scope != diag.OfEvent
	mayMissMembers := !diag.Modify.Has(on) && (isOwn(r) || r == &importParty) // an event without the members may break these rules
	reads := membersOf(r)
	if isAboutChange || mayMissMembers || reads == 0 {
		reads = always
	}
	for member := range b.readBy {
		if reads.Has(1 << member) {
			b.readBy[member] |= 1 << len(b.rules)
		}
	}
	b.rules = append(b.rules, boundRule{r, bind(r)})
}

// readingAny returns the indexes of the rules that read any of the given members, as a bit set.
func (b *boundRules) readingAny(members object.Set) (rules uint64) {
	for s := uint64(members); s != 0; s &= s - 1 {
		rules |= b.readBy[bits.TrailingZeros64(s)]
	}
	return rules
}

// byOccasion contains rules and, for the bit of each occasion, a list of the rules that have a check, in order. Each list is built
// on first use, because most programs need few lists.
type byOccasion struct {
	rules []*diag.Rule
	bound [64]atomic.Pointer[[]boundRules]
}

// checkedRules contains the rules of this package.
var checkedRules = &byOccasion{rules: rules}

// on returns the rules with a check that apply on an occasion.
func (b *byOccasion) on(occasion diag.When) []boundRules {
	known := &b.bound[bits.TrailingZeros64(uint64(occasion))]
	if bound := known.Load(); bound != nil {
		return *bound
	}
	var all []boundRules
	applying := slices.DeleteFunc(slices.Clone(b.rules), func(r *diag.Rule) bool { return r.Check == nil || !r.When.Has(occasion) })
	for chunk := range slices.Chunk(applying, 64) {
		var bound boundRules
		for _, r := range chunk {
			bound.add(r, occasion)
		}
		all = append(all, bound)
	}
	known.Store(&all)
	return all
}

// membersOf returns the top-level members that the rule reads.
func membersOf(r *diag.Rule) object.Set {
	var members object.Set
	for _, path := range r.Reads {
		name, _, _ := strings.Cut(path, ".")
		members |= membersNamed(strings.TrimSuffix(name, "[]"))
	}
	return members
}

// Catalogue returns the rules that [Check] applies: the rules of this package, followed by the rules of other packages,
// such as recurrence, conference and operation.
func Catalogue() *diag.Catalogue { return catalogue() }

var catalogue = sync.OnceValue(func() *diag.Catalogue {
	return diag.NewCatalogue(rules, recurrence.Rules(), conference.Rules(), operation.Rules(), resource.Rules())
})

// Sections of the documents cited by the rules.
const (
	sectionEvent      = "calendar.md, Event resource"
	sectionTimes      = "calendar.md, start, end, originalStartTime sub-fields"
	sectionPersons    = "calendar.md, creator and organizer sub-fields"
	sectionAttendees  = "calendar.md, attendees[] sub-fields"
	sectionReminders  = "calendar.md, reminders"
	sectionParts      = "calendar.md, source, attachments, properties by event type"
	sectionStates     = "calendar.md, States and transitions"
	sectionInsert     = "calendar.md, Events insert in detail"
	sectionOperations = "calendar.md, Behavior rules per operation"
	sectionObserved   = "observed"
)

// wasSent reports whether a string member was sent. An explicit empty string is considered sent, but an empty Go field is not.
func wasSent(value string, extra *object.Extra, name string) bool {
	return value != "" || extra.WasSent(name)
}

func isTrue(b *bool) bool { return b != nil && *b }

// reportChanged reports each of the given members whose meaning the request changes, with the rule's sentence "changed". An
// explicit default is not considered a change, and neither is a different spelling of an instant in the same zone.
func (in *input) reportChanged(members object.Set, r engine.Reporter) {
	for _, name := range tables().event.NamesOf(members & in.changedInEffect()) {
		r.Report(diag.Pointer("").Member(name), "changed", diag.Name("member", name))
	}
}

// mayContain reports whether the set contains id, or may contain it because the set is nil.
func mayContain(set operation.IDs, id string) bool { return set == nil || set.Has(id) }
