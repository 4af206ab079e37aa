package recurrence

// judge adds what is wrong with a line that was read, beyond its grammar: what its parts
// say together, and where start is not nil beside the start.
func (l *line) judge(start *Start) {
	if l.kind == exruleLine {
		l.faults.advise(&exruleDeprecated, whole, "RFC 5545 deprecates EXRULE and many calendars do not read it; use EXDATE.")
	}
	if l.rule != nil {
		l.judgeRule(start)
	}
	if l.dates != nil && start != nil {
		l.judgeDates(*start)
	}
}

func (l *line) judgeRule(start *Start) {
	r, f := l.rule, &l.faults
	if l.parts.has(partCount) && l.parts.has(partUntil) {
		f.refuse(&ruleCountUntil, whole, "The rule has both COUNT and UNTIL; keep one of the two.")
	}
	r.judgeByParts(l.parts, f)
	if start != nil {
		r.judgeUntil(*start, f)
	}
	if start != nil && start.allDay {
		r.judgeTimeParts(l.parts, f)
	} else if r.Freq.SubDaily() {
		f.advise(&subDaily, whole, "FREQ=%s is RFC 5545, but the public API fails on it; use DAILY or longer.", r.Freq)
	}
}

// judgeByParts applies the column N/A of the table in RFC 5545 section 3.3.10, and what the
// section says of ordinals and of BYSETPOS.
func (r *Rule) judgeByParts(parts partSet, f *faults) {
	if r.Freq == 0 { // nothing to hold the parts against
		return
	}
	if parts.has(partByWeekNo) && r.Freq != Yearly {
		f.refuse(&ruleByPart, whole, "BYWEEKNO stands in a %s rule; it goes with YEARLY only.", r.Freq)
	}
	if parts.has(partByYearDay) && (r.Freq == Daily || r.Freq == Weekly || r.Freq == Monthly) {
		f.refuse(&ruleByPart, whole, "BYYEARDAY stands in a %s rule; it does not go with DAILY, WEEKLY and MONTHLY.", r.Freq)
	}
	if parts.has(partByMonthDay) && r.Freq == Weekly {
		f.refuse(&ruleByPart, whole, "BYMONTHDAY stands in a WEEKLY rule; it does not go with WEEKLY.")
	}
	if d, ok := r.ordinal(); ok {
		switch {
		case r.Freq != Monthly && r.Freq != Yearly:
			f.refuse(&ruleByPart, whole, "BYDAY=%s has a number in a %s rule; numbers go with MONTHLY and YEARLY only.", d, r.Freq)
		case r.Freq == Yearly && parts.has(partByWeekNo):
			f.refuse(&ruleByPart, whole, "BYDAY=%s has a number beside BYWEEKNO; drop the number.", d)
		}
	}
	if parts.has(partBySetPos) && parts&byParts == 0 {
		f.refuse(&ruleByPart, whole, "BYSETPOS stands alone; it chooses among what another BY part gives, so add one.")
	}
}

// ordinal returns the first BYDAY value with a number.
func (r *Rule) ordinal() (ByDay, bool) {
	for _, d := range r.ByDay {
		if d.N != 0 {
			return d, true
		}
	}
	return ByDay{}, false
}

// judgeUntil compares the form of UNTIL with that of the start. Two mismatches are those
// that calendars in use write themselves, so they are read and not refused.
func (r *Rule) judgeUntil(start Start, f *faults) {
	switch {
	case r.Until.Form == 0:
	case start.allDay && r.Until.Form != Date:
		f.advise(&ruleUntilForm, whole, "UNTIL=%s has a time and the start is a date; only its date is read. Write a date.", r.Until)
	case !start.allDay && r.Until.Form == Date:
		f.advise(&ruleUntilForm, whole, "UNTIL=%s is a date and the start has a time; the whole day is read. Write a time in UTC.", r.Until)
	case !start.allDay && r.Until.Form == Local:
		f.refuse(&ruleUntilForm, whole, "UNTIL=%s is not in UTC, as it must be where the start has a zone; convert it and add a Z.", r.Until)
	}
}

func (r *Rule) judgeTimeParts(parts partSet, f *faults) {
	if r.Freq.SubDaily() {
		f.refuse(&ruleTimePart, whole, "FREQ=%s repeats within the day and the start is a date; use DAILY or longer.", r.Freq)
	}
	for _, p := range []part{partByHour, partByMinute, partBySecond} {
		if parts.has(p) {
			f.refuse(&ruleTimePart, whole, "%s gives a time and the start is a date; remove it.", p)
		}
	}
}

// judgeDates compares the form of the values with that of the start.
func (l *line) judgeDates(start Start) {
	const message = "%s is a %s and the start is %s; %s"
	for _, v := range l.dates.Values {
		switch {
		case start.allDay && v.Form != Date:
			l.faults.advise(&datesStartForm, whole, message, v, v.Form, "a date", "only its date is read. Write VALUE=DATE and dates.")
			return
		case !start.allDay && v.Form == Date && l.kind == rdateLine:
			l.faults.advise(&datesStartForm, whole, message, v, v.Form, "a time", "the start's time of day is taken. Write the time.")
			return
		case !start.allDay && v.Form == Date:
			l.faults.advise(&datesStartForm, whole, message, v, v.Form, "a time", "the whole day is taken out. Write the time.")
			return
		}
	}
	if start.allDay && len(l.dates.Periods) > 0 {
		l.faults.advise(&datesStartForm, whole, message, l.dates.Periods[0], "PERIOD", "a date", "only its first date is read. Write VALUE=DATE and dates.")
	}
}
