// Makes a module of the Go linker compress better, without changing what it does.
//
// The linker leaves out every run of a few zero bytes. This splits the data into tens of thousands of segments, whose
// addresses do not compress; here they become one segment. The tables of file names and line numbers serve only the
// trace of a panic. Without them, its lines have only the name of the function.

const dataSection = 11;

/** Returns the packed module. */
export function pack(module) {
  const parts = [module.subarray(0, 8)];
  for (let at = 8; at < module.length; ) {
    const id = module[at];
    const [size, begin] = readUnsigned(module, at + 1);
    const end = begin + size;
    if (id === dataSection) {
      const { start, memory } = readData(module.subarray(begin, end));
      dropLines(memory);
      const section = Buffer.concat([Buffer.from([1, 0, 0x41]), signed(start), Buffer.from([0x0b]), unsigned(memory.length), memory]);
      parts.push(Buffer.from([id]), unsigned(section.length), section);
    } else {
      parts.push(module.subarray(at, end));
    }
    at = end;
  }
  return Buffer.concat(parts);
}

/** Returns the memory that the segments of a data section initialize, and its first address. */
function readData(section) {
  let [count, at] = readUnsigned(section, 0);
  const segments = [];
  for (; count > 0; count--) {
    if (section[at] !== 0 || section[at + 1] !== 0x41) {
      throw new Error("a data segment is not at a constant address of the first memory");
    }
    const [address, afterAddress] = readUnsigned(section, at + 2);
    const [length, begin] = readUnsigned(section, afterAddress + 1);
    at = begin + length;
    segments.push({ address, bytes: section.subarray(begin, at) });
  }
  const start = segments[0].address;
  const last = segments.at(-1);
  const memory = Buffer.alloc(last.address + last.bytes.length - start);
  for (const { address, bytes } of segments) {
    memory.set(bytes, address - start); // throws if the segments are not in order
  }
  return { start, memory };
}

/** Drops the tables of files and lines from the table of functions (type pcHeader of package runtime). */
function dropLines(memory) {
  const magic = Buffer.from([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]);
  const header = memory.indexOf(magic);
  if (header < 0 || memory.indexOf(magic, header + 1) >= 0) {
    throw new Error("the table of functions is not where Go 1.26 has it");
  }
  const word = (i) => Number(memory.readBigUInt64LE(header + 8 * i));
  const count = word(1);
  const tables = memory.subarray(header + word(7), header + word(8));
  const functions = header + word(8);
  const used = new Set([0]);
  const starts = new Set([0]);
  for (let i = 0; i < count; i++) {
    const f = functions + memory.readUInt32LE(functions + 8 * i + 4);
    const [stack, files, lines, others, first] = [16, 20, 24, 28, 44].map((offset) => f + offset);
    used.add(memory.readUInt32LE(stack));
    for (let k = 0; k < memory.readUInt32LE(others); k++) {
      used.add(memory.readUInt32LE(first + 4 * k));
    }
    for (const table of [files, lines]) {
      starts.add(memory.readUInt32LE(table));
      memory.writeUInt32LE(0, table);
    }
  }
  const sorted = [...new Set([...used, ...starts])].sort((a, b) => a - b);
  sorted.forEach((start, i) => {
    if (!used.has(start)) {
      tables.fill(0, start, sorted[i + 1] ?? tables.length);
    }
  });
}

function readUnsigned(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) {
      return [value, at];
    }
  }
}

function unsigned(value) {
  const bytes = [];
  do {
    bytes.push((value % 0x80) | (value >= 0x80 ? 0x80 : 0));
    value = Math.floor(value / 0x80);
  } while (value > 0);
  return Buffer.from(bytes);
}

/** Encodes a number that is not negative as a signed one: bit 6 of the last byte is the sign. */
function signed(value) {
  const bytes = unsigned(value);
  const last = bytes.at(-1);
  return last < 0x40 ? bytes : Buffer.concat([bytes.subarray(0, -1), Buffer.from([last | 0x80, 0])]);
}
