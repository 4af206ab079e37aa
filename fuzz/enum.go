package fuzz

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
)

// oneOf draws a value of an enumeration, except those in without.
func oneOf(e *limits.Constraint, without ...string) *rapid.Generator[string] {
	return rapid.SampledFrom(slices.DeleteFunc(e.Values(), func(value string) bool {
		return slices.Contains(without, value)
	}))
}

// creatable returns the values of an enumeration that are allowed for what a client creates.
func creatable(e, allowed *limits.Constraint) []string {
	return slices.DeleteFunc(e.Values(), func(value string) bool { return !allowed.Has(value) })
}

// lazyEnum is [oneOf] for a generator that is kept.
func lazyEnum(e *limits.Constraint) func() *rapid.Generator[string] {
	return draw.Lazy(func() *rapid.Generator[string] { return oneOf(e) })
}

// The values of the documented enumerations.
var (
	anyStatus           = lazyEnum(limits.EventStatus)
	anyTransparency     = lazyEnum(limits.Transparency)
	anyVisibility       = lazyEnum(limits.Visibility)
	anyResponse         = lazyEnum(limits.ResponseStatus)
	anyAutoDeclineMode  = lazyEnum(limits.AutoDeclineMode)
	anyChatStatus       = lazyEnum(limits.ChatStatus)
	anyPlace            = lazyEnum(limits.WorkingLocationType)
	anyReminderMethod   = lazyEnum(limits.ReminderMethod)
	anyGadgetDisplay    = lazyEnum(limits.GadgetDisplay)
	anyAsyncOperation   = lazyEnum(limits.AsyncOperation)
	anyRequestStatus    = lazyEnum(limits.CreateRequestStatus)
	anyBirthdayType     = lazyEnum(limits.BirthdayType)
	anyEventType        = lazyEnum(limits.EventType)
	anyConferenceToMake = draw.Lazy(func() *rapid.Generator[string] {
		return rapid.SampledFrom(creatable(limits.ConferenceType, limits.NewConferenceType))
	})
)
