// The part of WASI preview 1 that the Go runtime requires. The module has no arguments, no environment and no files. The
// trace of a panic, which the module writes to standard error, is kept.

const errnoSuccess = 0;
const errnoBadFile = 8;
const clockRealtime = 0;
const stderr = 2;
const fileTypeCharacterDevice = 2;

/** Exit is thrown through the module when the Go runtime ends the program. */
class Exit extends Error {
  constructor(readonly status: number) {
    super(`the module exited with status ${status}`);
  }
}

/** Host is the environment of the module: a clock and random bytes. */
export class Host {
  private memory: WebAssembly.Memory | undefined;
  private written = "";
  private readonly decoder = new TextDecoder();

  /** attach sets the memory of the module, before the module runs. */
  attach(memory: WebAssembly.Memory): void {
    this.memory = memory;
  }

  /** trace returns the text that the module has written to standard error. */
  trace(): string {
    return this.written;
  }

  private get view(): DataView {
    return new DataView(this.memory!.buffer);
  }

  private bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory!.buffer as ArrayBuffer, at, length);
  }

  /** imports returns the functions of WASI. */
  imports(): WebAssembly.ModuleImports {
    const none = () => errnoBadFile;
    return {
      args_sizes_get: (count: number, size: number) => this.sizes(count, size),
      args_get: () => errnoSuccess,
      environ_sizes_get: (count: number, size: number) => this.sizes(count, size),
      environ_get: () => errnoSuccess,
      clock_time_get: (id: number, _precision: bigint, at: number) => this.clock(id, at),
      random_get: (at: number, length: number) => this.random(at, length),
      sched_yield: () => errnoSuccess,
      poll_oneoff: (_in: number, _out: number, _count: number, events: number) => this.wake(events),
      proc_exit: (status: number) => {
        throw new Exit(status);
      },
      fd_write: (fd: number, list: number, count: number, written: number) => this.write(fd, list, count, written),
      fd_fdstat_get: (fd: number, at: number) => this.stat(fd, at),
      fd_fdstat_set_flags: () => errnoSuccess,
      fd_prestat_get: none,
      fd_prestat_dir_name: none,
      fd_close: none,
      fd_read: none,
      fd_pread: none,
    };
  }

  private sizes(count: number, size: number): number {
    this.view.setUint32(count, 0, true);
    this.view.setUint32(size, 0, true);
    return errnoSuccess;
  }

  private clock(id: number, at: number): number {
    const milliseconds = id === clockRealtime ? Date.now() : performance.now();
    this.view.setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
    return errnoSuccess;
  }

  /**
   * Ends a wait immediately, because the runtime only waits for other threads during a panic, and there are no other threads.
   */
  private wake(events: number): number {
    this.view.setUint32(events, 0, true);
    return errnoSuccess;
  }

  private random(at: number, length: number): number {
    crypto.getRandomValues(this.bytes(at, length)); // the runtime requests only a few bytes, far below the limit of 65536
    return errnoSuccess;
  }

  private write(fd: number, list: number, count: number, written: number): number {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = this.view.getUint32(list + 8 * i, true);
      const length = this.view.getUint32(list + 8 * i + 4, true);
      if (fd === stderr) {
        this.written += this.decoder.decode(this.bytes(at, length).slice());
      }
      total += length;
    }
    this.view.setUint32(written, total, true);
    return errnoSuccess;
  }

  private stat(fd: number, at: number): number {
    if (fd > stderr) {
      return errnoBadFile;
    }
    const size = 24;
    this.bytes(at, size).fill(0);
    this.view.setUint8(at, fileTypeCharacterDevice);
    return errnoSuccess;
  }
}
