// Makes a module from the Go linker smaller and more compressible, without changing its behavior.
//
// The linker leaves out every run of a few zero bytes, which splits the data into tens of thousands of segments, whose
// addresses do not compress well. This file splits the data only at long runs. functions.js makes the function table smaller,
// and jumps.js makes the jumps smaller.
import { dropTraces, fold } from "./functions.js";
import { direct } from "./jumps.js";
import { readUnsigned, signed, unsigned } from "./leb128.js";

const [typeSection, importSection, functionSection, exportSection, codeSection, dataSection] = [1, 2, 3, 7, 10, 11];
const startSection = 8;
const shortestHole = 1024; // in zero bytes

/** Returns the packed module. */
export function pack(module) {
  const sections = new Map();
  for (const [id, body] of readSections(module)) {
    if (sections.has(id)) {
      throw new Error(`the module has two sections ${id}`);
    }
    sections.set(id, body);
  }
  sections.set(codeSection, direct(sections.get(codeSection)));
  const { start, memory } = readData(sections.get(dataSection));
  dropTraces(memory, start);
  addStart(sections, fold(memory, start));
  sections.set(dataSection, writeData(start, memory));
  const parts = [...sections].map(([id, body]) => Buffer.concat([Buffer.from([id]), unsigned(body.length), body]));
  return Buffer.concat([module.subarray(0, 8), ...parts]);
}

/** Returns the sections of a module, except custom sections. */
function readSections(module) {
  const sections = [];
  for (let at = 8; at < module.length; ) {
    const id = module[at];
    const [size, begin] = readUnsigned(module, at + 1);
    if (id !== 0) {
      sections.push([id, module.subarray(begin, begin + size)]);
    }
    at = begin + size;
  }
  return sections;
}

/** Adds a function that runs as soon as the module is instantiated. */
function addStart(sections, code) {
  const types = sections.get(typeSection);
  const [count] = readUnsigned(types, 0);
  sections.set(typeSection, appended(types, Buffer.from([0x60, 0, 0]))); // no parameters, no results
  const functions = sections.get(functionSection);
  sections.set(functionSection, appended(functions, unsigned(count)));
  sections.set(codeSection, appended(sections.get(codeSection), Buffer.concat([unsigned(code.length), code])));
  const index = countFunctionImports(sections.get(importSection)) + readUnsigned(functions, 0)[0];
  const all = [...sections];
  const after = all.findIndex(([id]) => id === exportSection) + 1;
  sections.clear();
  for (const [id, body] of [...all.slice(0, after), [startSection, unsigned(index)], ...all.slice(after)]) {
    sections.set(id, body);
  }
}

/** Returns a vector with one more element. */
function appended(vector, element) {
  const [count, begin] = readUnsigned(vector, 0);
  return Buffer.concat([unsigned(count + 1), vector.subarray(begin), element]);
}

function countFunctionImports(section) {
  let [count, at] = readUnsigned(section, 0);
  for (let i = 0; i < count; i++) {
    for (let names = 0; names < 2; names++) {
      const [length, begin] = readUnsigned(section, at);
      at = begin + length;
    }
    if (section[at] !== 0) {
      throw new Error("the module imports something that is no function");
    }
    at = readUnsigned(section, at + 1)[1];
  }
  return count;
}

/** Returns the memory initialized by the segments of a data section, and its first address. */
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

/** Returns a data section that initializes the given memory. */
function writeData(start, memory) {
  const segments = [];
  for (let at = 0; at < memory.length; ) {
    const [end, next] = hole(memory, at);
    segments.push(Buffer.concat([Buffer.from([0, 0x41]), signed(start + at), Buffer.from([0x0b]), unsigned(end - at), memory.subarray(at, end)]));
    at = next;
  }
  return Buffer.concat([unsigned(segments.length), ...segments]);
}

/** Returns the start and the end of the next long run of zeros. */
function hole(memory, from) {
  const zeros = Buffer.alloc(shortestHole);
  const begin = memory.indexOf(zeros, from);
  if (begin < 0) {
    return [memory.length, memory.length];
  }
  let end = begin + shortestHole;
  while (memory[end] === 0) {
    end++;
  }
  return [begin, end];
}
