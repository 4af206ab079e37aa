package proxy

import (
	_ "embed"
	"net/netip"
	"strings"
	"sync"
)

//go:embed reach.tsv
var specialBlocks string

// block is a block of addresses with a special purpose.
type block struct {
	netip.Prefix
	reach string // "yes", "no", "na" if nobody affirms it, or "inside": as the IPv4 address in the last bytes
}

var blocks = sync.OnceValue(func() (all []block) {
	for line := range strings.Lines(specialBlocks) {
		if columns := strings.Split(strings.TrimSpace(line), "\t"); len(columns) == 5 {
			all = append(all, block{netip.MustParsePrefix(columns[0]), columns[4]})
		}
	}
	return all
})

// isReachable reports whether an address can be reached from the Internet, and not only from this machine or its network.
func isReachable(ip netip.Addr) bool {
	of := block{reach: "yes"}
	for _, b := range blocks() {
		if b.Contains(ip.WithZone("")) && b.Bits() > of.Bits() {
			of = b
		}
	}
	if of.reach == "inside" {
		bytes := ip.As16()
		return isReachable(netip.AddrFrom4([4]byte(bytes[12:])))
	}
	return of.reach == "yes"
}
