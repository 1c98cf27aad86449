/** Support's way to a subject's terms, over the store of one process. */
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { ProposalStore } from '../../lib/four-eyes/proposal.ts';
import { createTermsBook } from '../../lib/terms/terms-book.ts';
import type { TermsBook } from '../../lib/terms/terms-book.ts';
import type { TermsWish } from '../../lib/changes/terms-change.ts';
import type { TermsStore } from '../../lib/terms/terms-book.ts';
import { documentId } from '../../lib/shared/subject.ts';
import type { SceneCall, SceneWish } from './scene.ts';

type Support = {
  readonly counters: CounterStore;
  readonly rules: () => Promise<readonly Rule[]>;
  readonly kinds: readonly string[];
  readonly machineNow: () => Date;
  readonly serverNow: (document: string) => Date;
  readonly version: () => string;
  /** Notes which terms a change is for, by the version of those that it makes. */
  readonly asked: Map<string, string | undefined>;
};

/** The book of terms as a function has it; rows of changes are not kept. */
export function termsBookOver({ kinds, ...support }: Support): TermsBook {
  return createTermsBook({
    store: termsStoreOver(support),
    ...{ ...support, alwaysAsked: kinds },
    second: { fourEyes: { kind: 'none' }, store: NO_PROPOSALS },
  });
}

function termsStoreOver({
  counters,
  serverNow,
  asked,
}: Pick<Support, 'counters' | 'serverNow' | 'asked'>): TermsStore {
  return {
    async read({ kind, id }, estimate) {
      const [view] = (await counters.read([documentId(kind, id)], [], estimate)).values();
      if (view === undefined) return { now: serverNow(documentId(kind, id)) };
      return { now: view.now, ...(view.terms === undefined ? {} : { terms: view.terms }) };
    },
    async replace({ subject: { kind, id }, version, before, after, at }) {
      const document = documentId(kind, id);
      asked.set(version, before?.version);
      const change = { expected: before?.version, terms: after };
      const isReplaced = await counters.together((inner) =>
        inner.changeTerms(document, change, at),
      );
      if (isReplaced) await counters.shorten(document, at).catch(() => undefined);
      return isReplaced;
    },
    changes: () => Promise.reject(new Error('rows of changes are not kept here')),
  };
}

const none = (): Promise<never> => Promise.reject(new Error('nothing is proposed here'));

const NO_PROPOSALS: ProposalStore = {
  ...{ add: none, find: none, list: none, newestAlike: none, openBelow: none, decide: none },
};

export type TermsTold = { readonly document: string } & (
  | { readonly kind: 'unchanged'; readonly error: unknown }
  /** The subject has these terms now; none where no version is said. */
  | { readonly kind: 'changed'; readonly version: string | undefined }
);

/** Changes a subject's terms. It throws nothing. Ids here have nothing that is escaped in a document's id. */
export async function changeTerms(
  terms: TermsBook,
  { document, wish }: Extract<SceneCall, { readonly do: 'terms' }>,
): Promise<TermsTold> {
  const [kind = '', id = ''] = document.split(':');
  const by = { by: { kind: 'local', id: 'local' }, reason: 'a story' } as const;
  const subject = { kind, id };
  try {
    const { now } = await terms.read(subject);
    const until = (ms: number | undefined): { readonly until?: Date } =>
      ms === undefined ? {} : { until: new Date(now.getTime() + ms) };
    const outcome = await terms.change(subject, wishOf(wish, kind, until), by);
    return { kind: 'changed', document, version: outcome.terms?.version };
  } catch (error) {
    return { kind: 'unchanged', document, error };
  }
}

function wishOf(
  wish: SceneWish,
  rule: string,
  until: (ms: number | undefined) => { readonly until?: Date },
): TermsWish {
  switch (wish.kind) {
    case 'freeze':
      return { kind: 'freeze', ...until(wish.forMs) };
    case 'unfreeze':
      return { kind: 'unfreeze' };
    case 'endOverride':
      return { kind: 'endOverride', rule, overrideId: 'all' };
    case 'override': {
      const { amount, count } = wish.max;
      const max = {
        ...(amount === undefined ? {} : { amountMinor: amount }),
        ...(count === undefined ? {} : { count }),
      };
      const afterMs = wish.afterMs === undefined ? {} : { afterMs: wish.afterMs };
      return { kind: 'override', override: { rule, max, ...until(wish.forMs) }, ...afterMs };
    }
  }
}
