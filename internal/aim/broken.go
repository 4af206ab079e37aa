package aim

import "github.com/calrules/calrules/internal/gen"

// brokenOfLife is the number of requests in a life that break a rule. Some rules can be broken in more ways than the stories
// for a rule can try, and a server may fail to detect some of these violations.
const brokenOfLife = 10

// breakRules sends requests that break the next few rules. Each life continues where the previous life stopped.
func (l *life) breakRules() {
	rules := gen.Rules(l.Dialect, l.Operations...)
	for turn := l.number * brokenOfLife; turn < (l.number+1)*brokenOfLife && !l.isOver(); turn++ {
		l.breakRule(rules[turn%len(rules)], turn)
	}
}

// breakRule sends a request that breaks a rule. A disagreement about a broken request reports only the story of that request.
func (l *life) breakRule(rule string, number int) {
	payload, err := gen.Mix{Dialect: l.Dialect, Operations: l.Operations, Rules: []string{rule}, InvalidShare: 1, OverHTTP: true}.Compile()
	if err != nil {
		return // no HTTP request can break the rule
	}
	whole := l.o.story
	l.o.story = newStory(l.run, payload.Payload(l.Seed, number))
	l.o.story.name = whole.name
	if l.o.story.notTried == "" {
		l.act(l.o)
	}
	if l.o.notTried = ""; !l.isOver() {
		l.o.story = whole
	}
}
