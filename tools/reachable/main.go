// Command reachable asks for a URL, and exits with status 1 if no server answers it with a status of success. Scripts
// decide with it whether to skip a check that needs the network.
//
//	go run ./tools/reachable https://vuln.go.dev/index/db.json
package main

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reachable URL")
		os.Exit(2)
	}
	if err := ask(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ask(url string) error {
	client := http.Client{Timeout: 20 * time.Second}
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("GET %s: %s", url, resp.Status)
	}
	return nil
}
