package main

import (
	"bytes"
	"fmt"
	"html"
	"slices"
)

// The dimensions of the picture, in pixels.
const (
	labelWidth = 330
	barWidth   = 420 // the width of a bar for the ratio 1
	barHeight  = 14
	rowHeight  = 44
	most       = 1.5 // the maximum ratio that fits
)

// bars lists the bars for each row in the picture.
var bars = []struct{ peer, color string }{{v1, "#2a6fb0"}, {v2, "#c4762b"}}

// picture returns an SVG bar chart of the ratios to two decoders. A line marks a ratio of 1.
func picture(all []counts) []byte {
	all = slices.DeleteFunc(slices.Clone(all), func(c counts) bool { return c.ratio(v1) == 0 })
	width, height := labelWidth+int(barWidth*most)+60, rowHeight*len(all)+60
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" role="img" aria-label="Instructions of calrules, as a ratio to other decoders">`+"\n", width, height)
	fmt.Fprintf(&out, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	for i, b := range bars {
		x := labelWidth + 230*i
		fmt.Fprintf(&out, `<rect x="%d" y="12" width="12" height="12" fill="%s"/><text x="%d" y="23">compared with %s</text>`+"\n", x, b.color, x+18, b.peer)
	}
	for i, c := range all {
		y := 44 + rowHeight*i
		fmt.Fprintf(&out, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", labelWidth-10, y+barHeight+4, html.EscapeString(c.name))
		for k, b := range bars {
			ratio := c.ratio(b.peer)
			if ratio == 0 {
				continue
			}
			top := y + k*(barHeight+2)
			fmt.Fprintf(&out, `<rect x="%d" y="%d" width="%.0f" height="%d" fill="%s"/><text x="%.0f" y="%d" font-size="11">%.2f</text>`+"\n",
				labelWidth, top, barWidth*min(ratio, most), barHeight, b.color, labelWidth+barWidth*min(ratio, most)+4, top+barHeight-3, ratio)
		}
	}
	x := labelWidth + barWidth
	fmt.Fprintf(&out, `<line x1="%d" y1="36" x2="%[1]d" y2="%d" stroke="#444" stroke-dasharray="4 3"/><text x="%[1]d" y="%d" text-anchor="middle">1</text>`+"\n</svg>\n", x, height-18, height-4)
	return out.Bytes()
}
