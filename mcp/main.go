// Command calrules-mcp is a Model Context Protocol server for agents that write events. The tools check and fix events, and
// return the requests to send.
//
//	calrules-mcp [--http 127.0.0.1:8086]
//
// The server uses standard input and output or, with --http, streamable HTTP at /mcp. The server sends no requests, keeps
// no state and reads no files.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "calrules-mcp:", err)
		os.Exit(2)
	}
}

// release is the version of a release build, set by the linker.
var release = "(unknown)"

// maxMessage is the maximum length of a message, in bytes, including the arguments and the surrounding JSON.
const maxMessage = maxArguments + 64<<10

// run serves until the input ends or the context is done. With --http, run writes the address to log as soon as it accepts
// connections.
func run(ctx context.Context, args []string, in io.ReadCloser, out io.WriteCloser, log io.Writer) error {
	flags := flag.NewFlagSet("calrules-mcp", flag.ContinueOnError)
	version := flags.Bool("version", false, "write the version and exit")
	addr := flags.String("http", "", "serve HTTP at this loopback `address`, such as 127.0.0.1:8086")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected arguments %q; only flags are allowed", flags.Args())
	case *version:
		_, err := fmt.Fprintln(out, "calrules-mcp version", release)
		return err
	case *addr != "":
		return serve(ctx, *addr, log)
	}
	err := newServer().Run(ctx, &mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: maxMessage})
	if ctx.Err() != nil {
		return nil // stopped by a signal
	}
	return err
}

// serve serves HTTP until the context is done.
func serve(ctx context.Context, addr string, log io.Writer) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	if at := listener.Addr().(*net.TCPAddr); !at.IP.IsLoopback() {
		listener.Close()
		return fmt.Errorf("--http %s is not a loopback address such as 127.0.0.1:8086", addr)
	}
	server := &http.Server{
		Handler: newHandler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	fmt.Fprintf(log, "calrules-mcp: serving http://%s/mcp\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newHandler returns the HTTP handler, which refuses requests from web pages of other origins, including origins whose host
// names now resolve to this machine (DNS rebinding).
func newHandler() http.Handler {
	server := newServer()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxMessage})
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	return http.NewCrossOriginProtection().Handler(mux)
}
