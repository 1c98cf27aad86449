import type { HeadroomClient, Subject, TermsChangeAnswer } from '@headroom-limits/client';
import { minorOf } from '../../ui/written.ts';

/** What may be done to a subject's terms. */
export const WISHES = ['override', 'endOverride', 'freeze', 'unfreeze'] as const;
/** One of them. */
export type Wish = (typeof WISHES)[number];

/** For how long, in days; for ever where it is none. */
const STRETCHES = { forDay: 1, forWeek: 7, forMonth: 30, forEver: undefined } as const;
/** One of them. */
type StretchName = keyof typeof STRETCHES;
/** All of them. */
export const STRETCH_NAMES = Object.keys(STRETCHES) as readonly StretchName[]; // they are its keys

/** What is written in the form. */
export type Draft = {
  /** Major units; NaN where nothing is written. */
  readonly amount: number;
  readonly count: number;
  readonly stretch: StretchName;
  readonly reason: string;
};

/** What is sent, each time the same: its end is that of the first time. */
export type Sent = Draft & { readonly until: string | undefined };

const DAY_MS = 86_400_000;

/** A draft with the instant at which it ends. */
export function dated(draft: Draft, nowMs: number): Sent {
  const days = STRETCHES[draft.stretch];
  const end = days === undefined ? undefined : new Date(nowMs + days * DAY_MS);
  return { ...draft, until: end?.toISOString() };
}

/** What a change is about. */
export type ChangeAbout = {
  readonly subject: Subject;
  readonly rule: string;
  /** The one that is to end. */
  readonly overrideId: string | undefined;
  /** Of the rule's currency. */
  readonly digits: number;
};

/** Makes a change, or only tries it: then it has no version. */
export function sendChange(
  client: HeadroomClient,
  wish: Wish,
  {
    subject,
    rule,
    overrideId,
    draft,
    digits,
    ifMatch,
    actor,
    signal,
  }: ChangeAbout & {
    readonly draft: Sent;
    /** Without a version it is only tried. */
    readonly ifMatch?: string;
    readonly actor: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<TermsChangeAnswer> {
  const { until } = draft;
  const isTried = ifMatch === undefined;
  const reason = draft.reason.trim();
  const why = { ...subject, reason, actor, ...(isTried ? { dryRun: true } : {}) };
  const same = isTried ? {} : { ifMatch };
  // A subject without terms has no version to match: the change is made only while it has none.
  const fresh = ifMatch === 'none' ? { ifNoneMatch: '*' as const } : same;
  switch (wish) {
    case 'override': {
      const { amount, count } = draft;
      const max = {
        ...(Number.isNaN(amount) ? {} : { amount: minorOf(amount, digits) }),
        ...(Number.isNaN(count) ? {} : { count }),
      };
      return client.override({ ...why, ...fresh, rule, max, until }, { signal });
    }
    case 'endOverride':
      return client.endOverride({ ...why, ...same, rule, overrideId }, { signal });
    case 'freeze':
      return client.freeze({ ...why, ...fresh, until }, { signal });
    case 'unfreeze':
      return client.unfreeze({ ...why, ...same }, { signal });
  }
}
