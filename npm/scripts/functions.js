// The function table in a Go module (type moduledata in package runtime), which is a sixth of the compressed module. The two
// exported functions throw if the table is not in the format of Go 1.26.
import { signed, unsigned } from "./leb128.js";

// The indexes of the tables and the data of a function, from package internal/abi.
const [unsafePoint, inlining, liveArguments] = [0, 2, 3];
const [argumentsOf, liveArgumentsOf] = [5, 6];
const absent = 0xffffffff;

// The offsets of fields in type _func.
const field = { entry: 0, name: 4, stack: 16, files: 20, lines: 24, tables: 28, unit: 32, line: 36, data: 43, first: 44 };

// The offsets of fields in type moduledata.
const [findFunctions, dataOfFunctions] = [152, 320];

/**
 * Drops details that only traces show: files, lines, the values of arguments, and type arguments, for which a trace shows
 * "..." anyway. Also drops the tables of the points at which a signal may stop a goroutine, since WebAssembly has no signals.
 * Nothing moves: dropped data becomes zeros.
 */
export function dropTraces(memory, start) {
  const { parts, functions, module } = locate(memory, start);
  const dropped = { tables: new Set(), data: new Set() };
  const kept = { tables: new Set([0]), data: new Set() };
  for (const at of functions) {
    dropFrom(memory, at, dropped, kept);
  }
  shortenNames(parts.names);
  parts.units.fill(0);
  parts.files.fill(0);
  clear(parts.tables, dropped.tables, kept.tables);
  const data = memory.subarray(word(memory, module + dataOfFunctions) - start);
  for (const at of dropped.data) {
    if (!kept.data.has(at)) {
      data.fill(0, at, data.indexOf(0xff, at) + 1); // 0xff ends a description of arguments
    }
  }
}

/** Drops fields of a function, and records the tables and data to which the function refers. */
function dropFrom(memory, f, dropped, kept) {
  const drop = (set, at, empty) => {
    set.add(memory.readUInt32LE(at));
    memory.writeUInt32LE(empty, at);
  };
  kept.tables.add(memory.readUInt32LE(f + field.stack));
  drop(dropped.tables, f + field.files, 0);
  drop(dropped.tables, f + field.lines, 0);
  memory.writeUInt32LE(0, f + field.unit);
  memory.writeUInt32LE(0, f + field.line);
  const { tables, data } = lists(memory, f);
  tables.forEach((at, i) => {
    if ([unsafePoint, inlining, liveArguments].includes(i)) {
      drop(dropped.tables, at, 0);
    } else {
      kept.tables.add(memory.readUInt32LE(at));
    }
  });
  data.forEach((at, i) => {
    if (i === argumentsOf) {
      drop(dropped.data, at, absent);
    } else if (i === liveArgumentsOf) {
      memory.writeUInt32LE(absent, at);
    } else {
      kept.data.add(memory.readUInt32LE(at));
    }
  });
  dropped.data.delete(absent);
}

/** Replaces the types in the names of instantiated functions with "...". */
function shortenNames(names) {
  for (let at = 0; at < names.length; ) {
    const end = names.indexOf(0, at);
    const name = names.toString("latin1", at, end);
    const [open, close] = [name.indexOf("["), name.lastIndexOf("]")];
    if (open >= 0 && close - open > 4) {
      names.fill(0, at, end);
      names.write(`${name.slice(0, open)}[...${name.slice(close)}`, at, "latin1");
    }
    at = end + 1;
  }
}

/** Fills tables with zeros, each up to the next table, except tables that are kept. */
function clear(tables, dropped, kept) {
  const sorted = [...new Set([...dropped, ...kept])].sort((a, b) => a - b);
  sorted.forEach((begin, i) => {
    if (!kept.has(begin)) {
      tables.fill(0, begin, sorted[i + 1] ?? tables.length);
    }
  });
}

/**
 * Replaces data that can be computed with zeros, and returns the code of a function that computes the data: the index of the
 * functions, the index of that index, and the entries of the functions. The offset of each name becomes the distance from the
 * preceding name.
 */
export function fold(memory, start) {
  const { parts, functions, module } = locate(memory, start);
  const first = parts.index.readUInt32LE(0);
  const find = word(memory, module + findFunctions) - start;
  const buckets = 16 * (functions.length - 1); // a function covers 65,536 addresses, and a bucket 4,096; the last bucket ends early
  let name = 0;
  functions.forEach((at, i) => {
    mustBe(parts.index.readUInt32LE(8 * i), first + i);
    mustBe(parts.index.readUInt32LE(8 * i + 4), at - parts.begin);
    mustBe(memory.readUInt32LE(at + field.entry), first + i);
    if (i + 1 < functions.length) {
      mustBe(functions[i + 1] + start, after(memory, at, start));
    }
    const own = memory.readUInt32LE(at + field.name);
    memory.writeUInt32LE(own - name, at + field.name); // throws if the name precedes the last name
    memory.writeUInt32LE(0, at + field.entry);
    name = own;
  });
  parts.index.fill(0, 0, 8 * functions.length);
  for (let i = 0; i < buckets; i++) {
    const at = find + bucketSize * i;
    mustBe(memory.readUInt32LE(at), i >> 4);
    mustBe(memory.subarray(at + 4, at + bucketSize).findIndex((byte) => byte !== 0), -1);
    memory.writeUInt32LE(0, at);
  }
  return unfold({
    index: start + parts.begin,
    begin: start + parts.begin,
    function: start + functions[0],
    functions: functions.length,
    first,
    find: start + find,
    buckets,
  });
}

const bucketSize = 20;

/** Returns the address of the function that follows the given function. */
function after(memory, at, start) {
  const { tables, data } = lists(memory, at);
  return (start + at + field.first + 4 * (tables.length + data.length) + 7) & ~7;
}

/** Returns the code of a function that reverses fold. */
function unfold(to) {
  const [i, f, name] = [0, 1, 2]; // locals
  const get = (local) => [0x20, local];
  const set = (local, value) => [...value, 0x21, local];
  const constant = (value) => [0x41, ...signed(value)];
  const add = (a, b) => [...a, ...b, 0x6a];
  const subtract = (a, b) => [...a, ...b, 0x6b];
  const multiply = (a, b) => [...a, ...b, 0x6c];
  const and = (a, b) => [...a, ...b, 0x71];
  const shiftRight = (a, b) => [...a, ...b, 0x76];
  const load = (address, offset) => [...address, 0x28, 2, ...unsigned(offset)];
  const loadByte = (address, offset) => [...address, 0x2d, 0, ...unsigned(offset)];
  const store = (address, offset, value) => [...address, ...value, 0x36, 2, ...unsigned(offset)];
  const repeat = (times, ...body) => {
    const increment = set(i, add(get(i), constant(1)));
    return [0x03, 0x40, ...body.flat(), ...increment, ...get(i), ...constant(times), 0x49, 0x0d, 0, 0x0b];
  };
  const lists = add(load(get(f), field.tables), loadByte(get(f), field.data));
  const size = and(add(multiply(lists, constant(4)), constant(field.first + 7)), [0x41, 0x78]); // -8
  const code = [
    ...set(f, constant(to.function)),
    ...repeat(
      to.functions,
      store(multiply(get(i), constant(8)), to.index, add(get(i), constant(to.first))),
      store(multiply(get(i), constant(8)), to.index + 4, subtract(get(f), constant(to.begin))),
      store(get(f), field.entry, add(get(i), constant(to.first))),
      set(name, add(get(name), load(get(f), field.name))),
      store(get(f), field.name, get(name)),
      set(f, add(get(f), size)),
    ),
    ...set(i, constant(0)),
    ...repeat(to.buckets, store(multiply(get(i), constant(bucketSize)), to.find, shiftRight(get(i), constant(4)))),
  ];
  return Buffer.from([1, 3, 0x7f, ...code, 0x0b]); // three locals of type i32
}

/** Returns the locations of the parts of the table. */
function locate(memory, start) {
  const magic = Buffer.from([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]);
  const header = memory.indexOf(magic);
  if (header < 0 || memory.indexOf(magic, header + 1) >= 0) {
    throw new Error("the table of functions is not where Go 1.26 has it");
  }
  const at = (i) => header + word(memory, header + 8 * i);
  const parts = { names: memory.subarray(at(4), at(5)), units: memory.subarray(at(5), at(6)), files: memory.subarray(at(6), at(7)) };
  const begin = at(8);
  const index = memory.subarray(begin);
  const functions = Array.from({ length: word(memory, header + 8) }, (_, i) => begin + index.readUInt32LE(8 * i + 4));
  const addresses = Buffer.alloc(16); // the first two fields in the module data: the addresses of the table and of its names
  addresses.writeBigUInt64LE(BigInt(start + header));
  addresses.writeBigUInt64LE(BigInt(start + at(4)), 8);
  const module = memory.indexOf(addresses);
  if (module < 0) {
    throw new Error("the module data are not as Go 1.26 has them");
  }
  return { parts: { ...parts, tables: memory.subarray(at(7), begin), begin, index }, functions, module };
}

/** Returns the locations of a function's tables and data. */
function lists(memory, f) {
  const tables = memory.readUInt32LE(f + field.tables);
  const places = (length, begin) => Array.from({ length }, (_, i) => begin + 4 * i);
  return { tables: places(tables, f + field.first), data: places(memory[f + field.data], f + field.first + 4 * tables) };
}

const word = (memory, at) => Number(memory.readBigUInt64LE(at));

function mustBe(is, must) {
  if (is !== must) {
    throw new Error(`the table of functions is not as Go 1.26 has it: ${is} is not ${must}`);
  }
}
