import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { autocompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import { lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';

/** A word that may stand at a place. */
type OfferedWord = {
  readonly word: string;
  readonly written: string;
  readonly help?: string | undefined;
  readonly isRequired?: boolean;
};

/** A part of the text with which something is wrong. */
export type YamlMark = { readonly from: number; readonly to: number; readonly says: string };

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--text-2)' },
]);

const LOOK = EditorView.theme({
  '&': { fontSize: '12.5px', minHeight: '220px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters, .cm-content': { minHeight: '220px' },
  '.cm-gutters': { background: 'none', color: 'var(--text-2)', border: 'none' },
  '.cm-tooltip': {
    background: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    maxWidth: 'min(420px, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent)',
    color: 'var(--accent-text)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionInfo': { padding: '6px 9px', whiteSpace: 'normal' },
  '.cm-diagnostic': { padding: '6px 9px' },
  // The library draws its own as images, which the policy does not allow.
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--over)',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker-error': {
    content: 'normal',
    background: 'var(--over)',
    borderRadius: '50%',
    width: '8px',
    height: '8px',
    margin: '4px auto 0',
  },
});

/** A text in YAML: words are offered while somebody types, and what is wrong is marked in its place. */
export function YamlField({
  label,
  value,
  onChange,
  marks,
  wordsAt,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly marks: readonly YamlMark[];
  readonly wordsAt: (
    text: string,
    at: number,
  ) => { readonly typed: string; readonly words: readonly OfferedWord[] };
}) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const write = useEffectEvent(onChange);
  const offer = useEffectEvent((context: CompletionContext) => offered(context, wordsAt));
  const first = useEffectEvent(() => value);
  useEffect(() => {
    if (host.current === null) return;
    // Outside of one, its styles would stand in the page, where the policy allows none.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first(),
        extensions: [
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorState.phrases.of({ Completions: label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) write(state.doc.toString());
          }),
          ...WAYS,
          autocompletion({ override: [(context) => offer(context)], icons: false }),
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
    };
  }, [label]);
  useEffect(() => {
    const { current } = view;
    if (current === undefined || current.state.doc.toString() === value) return;
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: value },
      // Somebody else wrote it: to undo takes back only what was written here.
      annotations: Transaction.addToHistory.of(false),
    });
  }, [value]);
  useEffect(() => {
    const { current } = view;
    current?.dispatch(
      setDiagnostics(current.state, diagnosticsIn(marks, current.state.doc.length)),
    );
  }, [marks]);
  return <div ref={host} className="yaml" />;
}

/** A browser writes over a selection in its colours, as styles that the policy does not allow: so the editor writes. */
const overwriting = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { state } = view;
    if (inputType !== 'insertText' || data === null || isComposing || state.selection.main.empty)
      return false;
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

/** Tab leads to the next field, as everywhere. */
const WAYS = [
  history(),
  overwriting,
  lineNumbers(),
  lintGutter(),
  yaml(),
  indentUnit.of('  '),
  EditorView.lineWrapping,
  syntaxHighlighting(COLOURS),
  LOOK,
  keymap.of([{ key: 'F8', run: nextDiagnostic }, ...defaultKeymap, ...historyKeymap]),
];

function diagnosticsIn(marks: readonly YamlMark[], length: number): Diagnostic[] {
  return marks.map(({ from, to, says }) => ({
    from: Math.min(from, length),
    to: Math.min(Math.max(from, to), length),
    severity: 'error',
    message: says,
  }));
}

function offered(
  { state, pos, explicit }: CompletionContext,
  wordsAt: Parameters<typeof YamlField>[0]['wordsAt'],
): CompletionResult | null {
  const { typed, words } = wordsAt(state.doc.toString(), pos);
  if (words.length === 0 || (typed === '' && !explicit)) return null;
  const options = words.map(({ word, written, help, isRequired = false }): Completion => ({
    label: word,
    apply: written,
    boost: isRequired ? 1 : 0,
    ...(help === undefined ? {} : { info: help }),
  }));
  return { from: pos - typed.length, options, validFor: /^[\w/-]*$/ };
}
