import type { FindRuleAnswer, RuleVersion } from '@headroom-limits/client';
import { Link } from '@tanstack/react-router';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { ruleOf, ruleVersionsOf } from '../../data/queries.ts';
import { useMay } from '../../data/rights.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Diff } from '../../ui/diff.tsx';
import { ListEnd } from '../../ui/listing.tsx';
import { Made } from '../../ui/made.tsx';
import { Section, Shown } from '../../ui/panel.tsx';
import { Part } from '../../ui/part.tsx';
import { Code, Given, Instant, langOf, Person } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';
import { ModeTag, titleOf } from '../rules.tsx';

const RuleTrial = lazy(() => import('./rule-trial.tsx'));

/** One rule: its sentence, its fields, and every version with what it changed. */
export function OneRule({ id }: { readonly id: string }) {
  const { say, language } = useReading();
  const session = useSession();
  const rule = useQuery(ruleOf(session, id, language));
  const mayWrite = useMay('rules:write');
  const [, change] = useAsked();
  return (
    <>
      <p>
        <Link to="/rules" search={langOf}>
          ← {say('rules.back')}
        </Link>
      </p>
      <div className="head">
        <h1>
          <Code text={id} />
        </h1>
        {mayWrite && rule.data !== undefined && (
          <button
            type="button"
            className="button primary"
            onClick={() => {
              change({ edit: '1' });
            }}
          >
            {say('rules.edit')}
          </button>
        )}
      </div>
      <div className="columns">
        <div>
          <Section title={say('field.rule')}>
            <Shown asked={rule} lines={4}>
              {(answer) => <Told answer={answer} />}
            </Shown>
          </Section>
        </div>
        {rule.data !== undefined && (
          <div>
            <Versions id={id} />
          </div>
        )}
      </div>
      {rule.data !== undefined && (
        <Part lines={6}>
          <RuleTrial rule={rule.data.rule} />
        </Part>
      )}
    </>
  );
}

function Versions({ id }: { readonly id: string }) {
  const { say } = useReading();
  const versions = useInfiniteQuery(ruleVersionsOf(useSession(), id));
  return (
    <Section title={say('rules.versions')}>
      <Shown asked={versions} lines={4}>
        {({ pages }) => {
          const told = pages.flatMap((page) => page.versions);
          return (
            <>
              <ol className="terms">
                {told.map((version) => (
                  <Version key={version.version} version={version} />
                ))}
              </ol>
              <ListEnd asked={versions} count={told.length} />
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

function Version({ version }: { readonly version: RuleVersion }) {
  const { say } = useReading();
  const { before, after } = version;
  return (
    <li>
      <p className="term-head">
        <strong>{say('rules.version', { version: version.version })}</strong>
        <span className="tag">{say(`rules.change.${version.change}`)}</span>
      </p>
      <Made {...version} />
      {version.change === 'changed' && <Diff before={before} after={after} />}
    </li>
  );
}

function Told({ answer }: { readonly answer: FindRuleAnswer }) {
  const { say, language } = useReading();
  const { rule, sentence, version, at, by, reason } = answer;
  return (
    <>
      <p className="term-head">
        <strong>
          <Given text={titleOf(rule, language) ?? rule.id} />
        </strong>
        <ModeTag mode={rule.mode} />
      </p>
      <p className="sentence">
        <Given text={sentence ?? say('rules.noSentence')} />
      </p>
      <p className="fine run">
        <span>{say('rules.version', { version })}</span>
        <Person by={by} />
        <Instant at={at} isShort />
        {reason !== undefined && <Given text={reason} />}
      </p>
      <details className="as-table">
        <summary>JSON</summary>
        <pre className="scroll" tabIndex={0}>
          {JSON.stringify(rule, null, 2)}
        </pre>
      </details>
    </>
  );
}
