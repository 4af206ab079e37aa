package proxy

import (
	"cmp"
	_ "embed"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

//go:embed reach.tsv
var specialBlocks string

// block is a block of special-purpose addresses.
type block struct {
	netip.Prefix
	reach string // "yes", "no", "na" if unspecified, or "inside" if the IPv4 address in the last bytes decides
}

// blocks returns the blocks, the smallest first.
var blocks = sync.OnceValue(func() (all []block) {
	for line := range strings.Lines(specialBlocks) {
		if columns := strings.Split(strings.TrimSpace(line), "\t"); len(columns) == 5 {
			all = append(all, block{netip.MustParsePrefix(columns[0]), columns[4]})
		}
	}
	slices.SortFunc(all, func(a, b block) int { return cmp.Compare(b.Bits(), a.Bits()) })
	return all
})

// isReachable reports whether an address is globally reachable, not only from this machine or its network.
func isReachable(ip netip.Addr) bool {
	for _, b := range blocks() {
		switch {
		case !b.Contains(ip.WithZone("")):
		case b.reach == "inside":
			bytes := ip.As16()
			return isReachable(netip.AddrFrom4([4]byte(bytes[12:])))
		default:
			return b.reach == "yes"
		}
	}
	return true
}
