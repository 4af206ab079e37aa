package emulator

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// dark is the foreground color of all color definitions.
const dark = "#1d1d1d"

// The background colors in the public service. The id of a color is its index plus 1.
var (
	calendarColors = []string{
		"#ac725e", "#d06b64", "#f83a22", "#fa573c", "#ff7537", "#ffad46", "#42d692", "#16a765",
		"#7bd148", "#b3dc6c", "#fbe983", "#fad165", "#92e1c0", "#9fe1e7", "#9fc6e7", "#4986e7",
		"#9a9cff", "#b99aff", "#c2c2c2", "#cabdbf", "#cca6ac", "#f691b2", "#cd74e6", "#a47ae2",
	}
	eventColors = []string{
		"#a4bdfc", "#7ae7bf", "#dbadff", "#ff887c", "#fbd75b", "#ffb878", "#46d6db", "#e1e1e1", "#5484ed", "#51b749", "#dc2127",
	}
)

// background returns the background color with the given id, or "" if there is none.
func background(colors []string, id string) string {
	n, err := strconv.Atoi(id)
	if err != nil || n < 1 || n > len(colors) || strconv.Itoa(n) != id {
		return ""
	}
	return colors[n-1]
}

// setColors sets the colors of a calendar list entry. With colorRgbFormat=true, setColors derives the colorId from the
// backgroundColor in the request. Otherwise, a backgroundColor or foregroundColor in the request has no effect, and a new
// colorId determines both colors.
func (c *call) setColors(was, next resource) {
	if c.query("colorRgbFormat") == "true" {
		if rgb, ok := parseColor(next.text("backgroundColor")); ok {
			next["colorId"] = nearestColor(rgb)
		}
		return
	}
	for _, name := range []string{"backgroundColor", "foregroundColor"} {
		delete(next, name)
		if was[name] != nil && next.text("colorId") == was.text("colorId") {
			next[name] = was[name]
		}
	}
}

// parseColor parses a color such as #0088aa.
func parseColor(text string) (rgb [3]int, ok bool) {
	digits, isColor := strings.CutPrefix(text, "#")
	bytes, err := hex.DecodeString(digits)
	if !isColor || err != nil || len(bytes) != len(rgb) {
		return rgb, false
	}
	for i, b := range bytes {
		rgb[i] = int(b)
	}
	return rgb, true
}

// nearestColor returns the id of the calendar color whose background is nearest to rgb.
func nearestColor(rgb [3]int) string {
	id, least := 0, math.MaxInt
	for i, background := range calendarColors {
		other, _ := parseColor(background)
		distance := 0
		for part := range rgb {
			distance += (rgb[part] - other[part]) * (rgb[part] - other[part])
		}
		if distance < least {
			id, least = i+1, distance
		}
	}
	return strconv.Itoa(id)
}

// getColors handles colors.get.
func (s *Server) getColors(c *call) (reply, error) {
	if err := c.Check(&s.checker, nil); err != nil {
		return reply{}, err
	}
	colors := resource{"kind": "calendar#colors", "updated": "2012-02-14T00:00:00.000Z", "calendar": definitions(calendarColors), "event": definitions(eventColors)}
	return reply{etag: `"colors"`, body: encode(colors)}, nil
}

// definitions returns a map from ids to color definitions.
func definitions(colors []string) map[string]any {
	all := map[string]any{}
	for i, background := range colors {
		all[strconv.Itoa(i+1)] = map[string]any{"background": background, "foreground": dark}
	}
	return all
}
