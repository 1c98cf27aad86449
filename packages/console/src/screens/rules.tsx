import type { StoredRule } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { rulesOf } from '../data/queries.ts';
import { useMay } from '../data/rights.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { FilterChoice } from '../ui/filter.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Part } from '../ui/part.tsx';
import { Given, RuleLink } from '../ui/text.tsx';
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
  return (
    <>
      <div className="head">
        <h1>{say('rules.title')}</h1>
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
                <ul className="terms">
                  {shown.map((rule) => (
                    <InShort key={rule.id} rule={rule} sentence={sentences[rule.id]} />
                  ))}
                </ul>
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

function InShort({
  rule,
  sentence,
}: {
  readonly rule: StoredRule;
  readonly sentence: string | undefined;
}) {
  const { say, language } = useReading();
  return (
    <li>
      <p className="term-head">
        <RuleLink id={rule.id} />
        <strong>
          <Given text={titleOf(rule, language) ?? ''} />
        </strong>
        <ModeTag mode={rule.mode} />
      </p>
      <p>
        <Given text={sentence ?? say('rules.noSentence')} />
      </p>
    </li>
  );
}

function byMode(one: StoredRule, other: StoredRule): number {
  const [first, second] = [one, other].map(({ mode = 'enforce' }) => MODES.indexOf(mode));
  return (first ?? 0) - (second ?? 0) || (one.id < other.id ? -1 : 1);
}

/** A rule's title in a language, or in English. */
export function titleOf({ title }: StoredRule, language: string): string | undefined {
  return title === undefined || typeof title === 'string' ? title : (title[language] ?? title.en);
}
