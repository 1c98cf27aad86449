import type { Actor, Subjects } from '@headroom-limits/client';
import { Link } from '@tanstack/react-router';
import { useReading } from '../words/words.tsx';
import { amountText, instantText } from './written.ts';

/** Signs that nobody sees and that turn or hide what stands beside them. */
const UNSEEN =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /([\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff])/;

/** The sign of a notice, for eyes alone: its words say the same. */
export function Mark({ sign = '!' }: { readonly sign?: string }) {
  return (
    <span className="mark" aria-hidden="true">
      {sign}
    </span>
  );
}

/** A text of somebody else's, apart from what stands around it; what cannot be seen is named. */
export function Given({ text }: { readonly text: string }) {
  return (
    <bdi className="given">
      <Seen text={text} />
    </bdi>
  );
}

function Seen({ text }: { readonly text: string }) {
  return text.split(UNSEEN).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="unseen">
        {`U+${(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`}
      </span>
    ),
  );
}

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence of the API's, with its instants in the reader's own time. */
export function Sentence({ text }: { readonly text: string }) {
  return (
    <bdi>
      {text
        .split(INSTANT)
        .map((part, index) =>
          index % 2 === 0 ? (
            <Given key={index} text={part} />
          ) : (
            <Instant key={index} at={part} isShort />
          ),
        )}
    </bdi>
  );
}

/** Letters of a long name that are seen, at its start and at its end. */
const [HEAD, TAIL] = [14, 8];

/** A longer one is cut: fewer letters would save no room. */
const NAME_MAX = 28;

/** A name of the machine's: an id of an order, a rule. A long one is cut in the middle for eyes alone: copied, it is whole. */
export function Code({ text }: { readonly text: string }) {
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  // What nobody sees must not hide there.
  if (letters.length <= NAME_MAX || UNSEEN.test(text))
    return (
      <code>
        <Given text={text} />
      </code>
    );
  return (
    <code>
      <bdi className="given" title={text}>
        {letters.slice(0, HEAD).join('')}
        <span className="middle">{letters.slice(HEAD, -TAIL).join('')}</span>
        {letters.slice(-TAIL).join('')}
      </bdi>
    </code>
  );
}

/** An instant. Pointing at it shows UTC. */
export function Instant({
  at,
  isShort = false,
  zone,
}: {
  readonly at: string;
  readonly isShort?: boolean;
  /** Other than the reader's. */
  readonly zone?: string | undefined;
}) {
  const { locale } = useReading();
  return (
    <time dateTime={at} title={at}>
      {instantText(at, locale, zone, !isShort)}
    </time>
  );
}

/** When something ends that somebody gave: `until Mar 4, 12:00`, or `no end`. */
export function Until({ at }: { readonly at: string | null }) {
  const { say } = useReading();
  return (
    <span>
      {at === null ? (
        say('time.never')
      ) : (
        <>
          {say('time.until')} <Instant at={at} isShort />
        </>
      )}
    </span>
  );
}

/** Minor units as people write them. */
export function Money({
  minor,
  currency,
}: {
  readonly minor: number;
  readonly currency?: string | undefined;
}) {
  return <span className="figure">{amountText(minor, currency, useReading())}</span>;
}

/** Who did something: the person, or else what acted. */
export function personOf({ id, person }: Actor): string {
  return person ?? id;
}

/** Who did something. */
export function Person({ by }: { readonly by: Actor }) {
  return (
    <span title={`${by.kind} ${by.id}`}>
      <Given text={personOf(by)} />
    </span>
  );
}

/** Leads to a subject. */
export function SubjectLink({ kind, id }: { readonly kind: string; readonly id: string }) {
  return (
    <Link to="/subject" search={(before: object) => ({ ...langOf(before), kind, id })}>
      <span className="kind">{kind}</span> <Code text={id} />
    </Link>
  );
}

/** Leads to each of some subjects. */
export function SubjectLinks({ subjects }: { readonly subjects: Subjects }) {
  return (
    <span className="run">
      {Object.entries(subjects).map(([kind, id]) => (
        <SubjectLink key={kind} kind={kind} id={id} />
      ))}
    </span>
  );
}

/** Leads to a payment, which is one application's. */
export function OrderLink({
  orderId,
  app,
}: {
  readonly orderId: string;
  readonly app?: string | undefined;
}) {
  return (
    <Link to="/payment" search={(before: object) => ({ ...langOf(before), order: orderId, app })}>
      <Code text={orderId} />
    </Link>
  );
}

/** Leads to a rule, by its title where it has one: sentences name it by its id. */
export function RuleLink({
  id,
  title,
}: {
  readonly id: string;
  readonly title?: string | undefined;
}) {
  return (
    <Link to="/rules" search={(before: object) => ({ ...langOf(before), id })}>
      {title !== undefined && <Given text={title} />} <Code text={id} />
    </Link>
  );
}

/** What each page keeps of the page before: the language. */
export function langOf(search: object): { readonly lang?: string } {
  const { lang } = search as { readonly lang?: string };
  return lang === undefined ? {} : { lang };
}
