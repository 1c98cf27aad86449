import type { StoredRule } from '@headroom-limits/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy } from 'react';
import { rulesOf, summaryOf } from '../data/queries.ts';
import { useMay } from '../data/rights.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { askedText } from '../ui/effect-over-time.tsx';
import { FilterChoice } from '../ui/filter.tsx';
import type { Column } from '../ui/listing.tsx';
import { Listing } from '../ui/listing.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Part } from '../ui/part.tsx';
import { Given, langOf, RuleLink } from '../ui/text.tsx';
import { localZone, toldWindow, windowText } from '../ui/written.ts';
import type { Reading } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';
import { OneRule } from './rules/one-rule.tsx';

const RuleEditor = lazy(() => import('./rules/rule-editor.tsx'));

const MODES = ['enforce', 'shadow', 'draft', 'retired'] as const;
type Mode = (typeof MODES)[number];

/** How a mode looks. */
const TONES: Readonly<Record<Mode, string>> = {
  enforce: 'well',
  shadow: 'held',
  draft: '',
  retired: 'back',
};

/** A rule's mode: a rule without one is in force. */
export function ModeTag({ mode = 'enforce' }: { readonly mode?: Mode | undefined }) {
  const { say } = useReading();
  return (
    <span className={`state ${TONES[mode]}`} title={say(`rules.modeHelp.${mode}`)}>
      {say(`rules.mode.${mode}`)}
    </span>
  );
}

/** What holds for everybody: all rules, one of them, or the editor. */
export function Screen() {
  const [{ id, edit }] = useAsked();
  if (edit !== undefined)
    return (
      <Part lines={8}>
        <RuleEditor key={id ?? ''} id={id} />
      </Part>
    );
  return id === undefined ? <AllRules /> : <OneRule id={id} />;
}

function AllRules() {
  const { say, language } = useReading();
  const [{ mode: asked }, change] = useAsked();
  const mode = MODES.find((each) => each === asked);
  const rules = useQuery(rulesOf(useSession(), language));
  const mayWrite = useMay('rules:write');
  const mayRead = useMay('usage:read');
  return (
    <>
      <div className="head">
        <h1>{say('rules.title')}</h1>
        {mayRead && (
          <Link className="button" to="/backtests" search={langOf}>
            {say('test.list')}
          </Link>
        )}
        {mayWrite && (
          <button
            type="button"
            className="button primary"
            onClick={() => {
              change({ edit: 'new', mode: undefined });
            }}
          >
            {say('rules.new')}
          </button>
        )}
      </div>
      <p className="lead">{say('rules.lead')}</p>
      <Section
        title={say('rules.title')}
        aside={
          <FilterChoice
            {...{ name: 'mode', first: '' }}
            label={say('rules.mode')}
            options={[
              ['', say('field.any')],
              ...MODES.map((each) => [each, say(`rules.mode.${each}`)] as const),
            ]}
          />
        }
      >
        <Shown asked={rules} lines={10}>
          {({ rules: all, sentences }) => {
            const shown = all
              .filter((rule) => mode === undefined || (rule.mode ?? 'enforce') === mode)
              .toSorted(byMode);
            if (shown.length === 0) return <Empty>{say('rules.empty')}</Empty>;
            return (
              <>
                <RuleTable rules={shown} sentences={sentences} />
                <p className="list-end">
                  <span>{say('list.count', { count: shown.length })}</span>
                  <span>{say('list.end')}</span>
                </p>
              </>
            );
          }}
        </Shown>
      </Section>
    </>
  );
}

/** A rule a line. One that is not like most has its sentence below. */
function RuleTable({
  rules,
  sentences,
}: {
  readonly rules: readonly StoredRule[];
  readonly sentences: Readonly<Record<string, string>>;
}) {
  const reading = useReading();
  const refused = useRefused(rules);
  return (
    <Listing
      name="rules"
      label={reading.say('rules.title')}
      columns={columnsIn(reading, refused)}
      rows={rules}
      keyOf={({ id }) => id}
      noteOf={(rule) =>
        isPlain(rule) ? undefined : (
          <p className="fine">
            <Given text={sentences[rule.id] ?? reading.say('rules.noSentence')} />
          </p>
        )
      }
    />
  );
}

/** How many checks each rule refused today; a rule of several kinds refuses only what names them all. */
function useRefused(rules: readonly StoredRule[]): ReadonlyMap<string, number> {
  const session = useSession();
  const mayRead = useMay('usage:read');
  const kinds = [...new Set(rules.flatMap(({ per: [kind = ''] }) => kind))];
  const days = useQueries({
    queries: kinds.map((kind) => ({
      ...summaryOf(session, { kind, zone: localZone() }),
      enabled: mayRead,
    })),
  });
  return new Map(
    rules.flatMap(({ id, per: [kind = ''] }) => {
      const day = days[kinds.indexOf(kind)]?.data;
      const found = day?.refusals.find(({ rule }) => rule === id);
      return day === undefined ? [] : [[id, found?.count ?? 0]];
    }),
  );
}

/** A rule whose columns say all of it. */
function isPlain(rule: StoredRule): boolean {
  const { counts, match, appliesTo, minus, outcome, when, onExceed, min, ...rest } = rule;
  const { from, to, require, refunds } = rest;
  const others = [counts, match, appliesTo, minus, outcome, when, onExceed, min];
  return [...others, from, to, require, refunds].every((each) => each === undefined);
}

function columnsIn(
  reading: Reading,
  refused: ReadonlyMap<string, number>,
): readonly Column<StoredRule>[] {
  const { say, language, locale } = reading;
  return [
    {
      id: 'limit',
      header: say('field.rule'),
      cell: (rule) => <RuleLink id={rule.id} title={titleOf(rule, language)} />,
    },
    { id: 'per', header: say('edit.per'), cell: ({ per }) => per.join(', ') },
    {
      id: 'max',
      header: say('near.maximum'),
      isFigure: true,
      cell: ({ max = {}, currency }) => askedText(max, currency, reading),
    },
    {
      id: 'window',
      header: say('edit.window'),
      cell: ({ window }) => (
        <>
          {windowText(toldWindow(window), reading)}{' '}
          {typeof window === 'object' && 'timeZone' in window && (
            <span className="fine">{window.timeZone}</span>
          )}
        </>
      ),
    },
    { id: 'mode', header: say('rules.mode'), cell: ({ mode }) => <ModeTag mode={mode} /> },
    {
      id: 'refused',
      header: say('rules.refusedToday'),
      isFigure: true,
      cell: ({ id, per: [kind = ''] }) => {
        const count = refused.get(id);
        if (count === undefined) return null;
        return (
          <Link to="/refusals" search={(before: object) => ({ ...langOf(before), rule: id, kind })}>
            {new Intl.NumberFormat(locale).format(count)}
          </Link>
        );
      },
    },
  ];
}

function byMode(one: StoredRule, other: StoredRule): number {
  const [first, second] = [one, other].map(({ mode = 'enforce' }) => MODES.indexOf(mode));
  return (first ?? 0) - (second ?? 0) || (one.id < other.id ? -1 : 1);
}

/** A rule's title in a language, or in English. */
export function titleOf({ title }: StoredRule, language: string): string | undefined {
  return title === undefined || typeof title === 'string' ? title : (title[language] ?? title.en);
}
