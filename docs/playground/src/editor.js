// An editor of JSON that shows findings where they are.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, ensureSyntaxTree, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--select) !important" },
  ".cm-matchingBracket": { backgroundColor: "var(--select) !important", color: "inherit !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", maxWidth: "32rem" },
});

const severities = { reject: "error", ignore: "warning", advise: "info", unspecified: "hint" };

export class Editor {
  /** Makes an editor with a name for screen readers. It calls changed after every change of its text. */
  constructor(name, text, changed) {
    this.view = new EditorView({
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), lintGutter(),
          json(), syntaxHighlighting(classHighlighter), theme, EditorView.lineWrapping,
          keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]), // Tab leaves the editor, as in any field
          EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false", tabindex: "0" }),
          EditorView.updateListener.of((update) => update.docChanged && changed()),
        ],
      }),
    });
    this.element = this.view.dom;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Shows findings; those without a place are not about the text. */
  show(findings) {
    const length = this.view.state.doc.length;
    const diagnostics = findings
      .filter((finding) => finding.place)
      .map(({ kind, message, rule, place }) => {
        const from = Math.min(place.offset, length);
        return { from, to: this.endOf(from, length), severity: severities[kind], message, source: `${kind} · ${rule}` };
      });
    const shown = [];
    forEachDiagnostic(this.view.state, ({ message, source }, from) => shown.push(`${from} ${source} ${message}`));
    const wanted = diagnostics.map(({ from, source, message }) => `${from} ${source} ${message}`);
    if (shown.sort().join("\n") !== wanted.sort().join("\n")) { // the marks move with the text
      this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    }
  }

  /** Returns where the value that begins at an offset ends. For an object or array, it is the end of the bracket. */
  endOf(from, length) {
    const parseMilliseconds = 5; // an event is parsed in less
    const node = ensureSyntaxTree(this.view.state, Math.min(from + 1, length), parseMilliseconds)?.resolveInner(from, 1);
    const isValue = ["String", "Number", "True", "False", "Null", "PropertyName"].includes(node?.name);
    return isValue ? node.to : Math.min(from + 1, length);
  }

  /** Replaces the text by a later one as one change of the part that differs. */
  replace(text) {
    const before = this.text;
    const most = Math.min(before.length, text.length);
    let start = 0;
    while (start < most && before[start] === text[start]) {
      start++;
    }
    let same = 0; // at the end
    while (same < most - start && before.at(-1 - same) === text.at(-1 - same)) {
      same++;
    }
    this.view.dispatch({ changes: { from: start, to: before.length - same, insert: text.slice(start, text.length - same) } });
  }

  goTo(offset) {
    const anchor = Math.min(offset, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }
}
