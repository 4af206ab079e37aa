package command

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// endingSignals returns the signals that end the program. A signal that was ignored when the program started stays ignored: nohup
// ignores SIGHUP, and a shell ignores SIGINT for jobs in the background.
func endingSignals() []os.Signal {
	ignorable := []os.Signal{os.Interrupt, syscall.SIGHUP}
	return append(slices.DeleteFunc(ignorable, signal.Ignored), syscall.SIGTERM)
}

// untilSignal returns a context that is done when a signal ends the program, or when stop is called.
func untilSignal() (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(context.Background(), endingSignals()...)
}

// holdSignals delays signals that end the program until release is called. While signals are delayed, no file can be left
// partly replaced, and no temporary file can remain. If a delayed signal arrived, release ends the program.
func holdSignals() (release func()) {
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, endingSignals()...)
	return func() {
		signal.Stop(ends)
		select {
		case s := <-ends:
			os.Exit(128 + int(s.(syscall.Signal))) // the status that a shell would report
		default:
		}
	}
}
