// The jumps in a Go module. The Go compiler turns a function into a loop around a table of its blocks: to jump to a block,
// the function stores the number of the block in the first local and starts the loop again. This file makes jumps to later
// blocks direct. The code is then smaller and faster, and the engine does not mistake a long function that runs once for a
// loop that is worth optimizing, which took most of the time when a module started.
import { readUnsigned, unsigned } from "./leb128.js";

const op = { block: 0x02, loop: 0x03, if: 0x04, end: 0x0b, br: 0x0c, brIf: 0x0d, brTable: 0x0e, localGet: 0x20, localSet: 0x21, localTee: 0x22, i32Const: 0x41 };
const noResult = 0x40;
const blockNumber = 0; // the index of the local

/** Returns the code section of a module from the Go linker, with direct jumps. */
export function direct(section) {
  let [count, at] = readUnsigned(section, 0);
  const functions = [unsigned(count)];
  for (; count > 0; count--) {
    const [size, begin] = readUnsigned(section, at);
    at = begin + size;
    const body = rewrite(section.subarray(begin, at));
    functions.push(unsigned(body.length), body);
  }
  return Buffer.concat(functions);
}

/** Returns the body of a function with direct jumps. */
function rewrite(body) {
  const code = readCode(body);
  if (!isDispatched(code)) {
    return body;
  }
  const parts = [];
  const open = []; // the instructions that opened the blocks around the current one
  let blocks; // the instructions that opened the blocks of the table, by number
  let loop;
  let done = 0;
  for (let i = 0; i < code.length; i++) {
    const { opcode, at, value, end } = code[i];
    if (opcode === op.block || opcode === op.loop || opcode === op.if) {
      open.push(code[i]);
    } else if (opcode === op.end) {
      open.pop();
    } else if (opcode === op.brTable) {
      blocks = readTable(body, at + 1).map((depth) => open.at(-1 - depth));
      loop = open.findLast((one) => one.opcode === op.loop);
    } else if (opcode === op.i32Const && code[i + 1].opcode === op.localSet && code[i + 1].value === blockNumber && code[i + 2].opcode === op.br) {
      const depth = open.length - 1 - open.indexOf(blocks[value]);
      if (open.at(-1 - code[i + 2].value) !== loop || depth >= open.length || blocks[value].opcode !== op.block || blocks[value].value !== noResult) {
        continue;
      }
      if (code[i - 1].opcode === op.if && code[i - 1].value === noResult && code[i + 3].opcode === op.end) {
        parts.push(body.subarray(done, code[i - 1].at), Buffer.from([op.brIf]), unsigned(depth - 1));
        done = code[i + 3].end;
      } else {
        parts.push(body.subarray(done, at), Buffer.from([op.br]), unsigned(depth));
        done = code[i + 2].end;
      }
    }
  }
  parts.push(body.subarray(done));
  return Buffer.concat(parts);
}

/** Reports whether a function has one table of blocks, and only that table reads the number of a block. */
function isDispatched(code) {
  const tables = code.filter(({ opcode }) => opcode === op.brTable);
  const uses = code.filter(({ opcode, value }) => (opcode === op.localGet || opcode === op.localTee) && value === blockNumber);
  return tables.length === 1 && uses.length === 1 && uses[0].opcode === op.localGet && uses[0].end === tables[0].at;
}

/** Returns the depths of the targets of a br_table whose immediates are at an offset. The last target is the default. */
function readTable(body, at) {
  let [count, next] = readUnsigned(body, at);
  const depths = [];
  for (; count >= 0; count--) {
    let depth;
    [depth, next] = readUnsigned(body, next);
    depths.push(depth);
  }
  return depths;
}

/** Returns the instructions of a function, each with its start, its end and, if small, its first immediate. */
function readCode(body) {
  let [count, at] = readUnsigned(body, 0);
  for (; count > 0; count--) {
    at = readUnsigned(body, at)[1] + 1; // the number of locals of one type
  }
  const code = [];
  while (at < body.length) {
    const opcode = body[at];
    const end = endOf(body, at);
    code.push({ opcode, at, value: end > at + 1 ? body[at + 1] & 0x80 ? readUnsigned(body, at + 1)[0] : body[at + 1] : undefined, end });
    at = end;
  }
  return code;
}

/** Returns the offset of the end of an instruction. Throws for an instruction that the Go compiler does not use. */
function endOf(body, at) {
  const opcode = body[at];
  const after = (count, from = at + 1) => {
    for (; count > 0; count--) {
      while (body[from++] & 0x80);
    }
    return from;
  };
  switch (true) {
    case opcode === op.block || opcode === op.loop || opcode === op.if || opcode === op.br || opcode === op.brIf:
    case opcode === 0x10: // call
    case opcode >= 0x20 && opcode <= 0x24: // instructions for locals and globals
    case opcode === 0x3f || opcode === 0x40: // memory.size and memory.grow
    case opcode === op.i32Const || opcode === 0x42: // i64.const
      return after(1);
    case opcode === op.brTable: {
      const [count, next] = readUnsigned(body, at + 1);
      return after(count + 1, next);
    }
    case opcode === 0x11: // call_indirect
    case opcode >= 0x28 && opcode <= 0x3e: // loads and stores
      return after(2);
    case opcode === 0x43: // f32.const
      return at + 5;
    case opcode === 0x44: // f64.const
      return at + 9;
    case opcode === 0xfc: {
      const [kind, next] = readUnsigned(body, at + 1);
      const immediates = { 10: 2, 11: 1 }[kind] ?? 0; // memory.copy, memory.fill; all other instructions are conversions
      if (kind > 7 && immediates === 0) {
        break;
      }
      return after(immediates, next);
    }
    case opcode <= 0x01 || opcode === 0x05 || opcode === op.end || opcode === 0x0f || opcode === 0x1a || opcode === 0x1b:
    case opcode >= 0x45 && opcode <= 0xc4: // numeric instructions
      return at + 1;
  }
  throw new Error(`the module has an instruction that is not known: ${opcode.toString(16)}`);
}
