package conference_test

import (
	"encoding/json"
	"fmt"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
)

func ExampleChange_Check() {
	change := conference.Change{
		On: diag.Insert,
		Next: &conference.Data{
			Solution: &conference.Solution{Key: &conference.Key{Type: "addOn"}},
			EntryPoints: []conference.EntryPoint{
				{Type: "phone", URI: "+1 555 0100"},
			},
		},
		Present: true,
		Version: 1,
	}
	fmt.Println(change.Check().Err())

	change.Next.EntryPoints[0].URI = "tel:+15550100"
	fmt.Println(change.Check().Err())
	// Output:
	// /entryPoints/0/uri: The uri is "+1 555 0100"; for an entry point of type "phone" it must be a tel: URI with the whole dial sequence. Send "tel:+15550100". [conference.entry.uri]
	// <nil>
}

func ExampleChange_Apply() {
	change := conference.Change{
		Next: &conference.Data{CreateRequest: &conference.CreateRequest{
			RequestID:   "r-1",
			SolutionKey: &conference.Key{Type: "videoMeet"},
		}},
		Present: true,
		Version: 1,
	}
	stored, _ := json.Marshal(change.Apply())
	fmt.Printf("%s\n", stored)

	change.Version = 0
	fmt.Println(change.Apply() == nil)
	// Output:
	// {"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":"pending"}}}
	// true
}

func ExampleEntryPoint_Codes() {
	p := conference.EntryPoint{Type: "phone", URI: "tel:+15550100", PIN: "1234", Password: "blue"}
	for name, code := range p.Codes() {
		fmt.Println(name, code)
	}
	// Output:
	// pin 1234
	// password blue
}
