import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Finding } from '@headroom-limits/client';
import manifest from '../../package.json';
import { callerOf, healthOf, nearOf, rulesOf, summaryOf } from '../data/queries.ts';
import { useMay } from '../data/rights.ts';
import { useSession } from '../session.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Given, Instant } from '../ui/text.tsx';
import type { Word } from '../words/en.ts';
import { useReading } from '../words/words.tsx';

/** Of the console itself: the API may have been deployed at another time. */
const VERSION = manifest.version;

/** The kind of homes: every order has one. */
const HOME_KIND = 'user';

/** What the deployment says of itself. */
export function Screen() {
  const { say } = useReading();
  return (
    <>
      <div className="head">
        <h1>{say('health.title')}</h1>
      </div>
      <p className="lead">{say('health.lead')}</p>
      <div className="columns even">
        <div>
          <Findings />
        </div>
        <div>
          <Lost />
          <Versions />
          <Caller />
        </div>
      </div>
    </>
  );
}

function Fact({
  name,
  children,
  help,
}: {
  readonly name: string;
  readonly children: ReactNode;
  readonly help?: string;
}) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>
        {children}
        {help !== undefined && <p className="fine">{help}</p>}
      </dd>
    </div>
  );
}

/** How each level looks. A word stands beside the colour. */
const TONES: Readonly<Record<Finding['level'], string>> = {
  ok: 'well',
  unknown: 'back',
  warning: 'near',
  fault: 'over',
};

function Findings() {
  const { say } = useReading();
  const mayRead = useMay('health:read');
  const found = useQuery({ ...healthOf(useSession()), enabled: mayRead });
  if (!mayRead)
    return (
      <Section title={say('health.findings')}>
        <Empty>{say('state.noRight', { right: 'health:read' })}</Empty>
      </Section>
    );
  return (
    <Section
      title={say('health.findings')}
      aside={
        <button
          type="button"
          className="button small"
          disabled={found.isFetching}
          onClick={() => void found.refetch()}
        >
          {say(found.isFetching ? 'health.looking' : 'health.lookAgain')}
        </button>
      }
    >
      <Shown asked={found} lines={9}>
        {({ findings }) => (
          <dl className="facts">
            {findings.map(({ name, level, says, todo }) => (
              <Fact key={name} name={say(`health.name.${name}` as Word, { defaultValue: name })}>
                <span className={`state ${TONES[level]}`}>{say(`health.${level}`)}</span>
                {/* For operators, and in English alone, as the command line has it. */}
                <p lang="en">
                  <Given text={says} />
                </p>
                {todo !== undefined && (
                  <p className="fine" lang="en">
                    <Given text={say('health.todo', { todo })} />
                  </p>
                )}
              </Fact>
            ))}
          </dl>
        )}
      </Shown>
    </Section>
  );
}

function Lost() {
  const { say, locale } = useReading();
  const session = useSession();
  const today = useQuery(summaryOf(session, { kind: HOME_KIND }));
  const near = useInfiniteQuery(nearOf(session, { share: 1 }));
  return (
    <Section title={say('health.lost')}>
      <dl className="facts">
        <Shown asked={today} lines={1}>
          {({ sums }) => {
            const lost = sums.find(({ currency }) => currency === null)?.confirmed.count ?? 0;
            return (
              <Fact name={say('health.lostAudit')} help={say('health.lostAuditHelp')}>
                <span className={`state ${lost === 0 ? 'well' : 'over'}`}>
                  {lost === 0 ? say('health.none') : new Intl.NumberFormat(locale).format(lost)}
                </span>
              </Fact>
            );
          }}
        </Shown>
        <Shown asked={near} lines={1}>
          {({ pages: [page] }) => (
            <Fact name={say('health.nearKept')} help={say('health.nearHelp')}>
              <span className={`state ${page?.kept === true ? 'well' : 'near'}`}>
                {say(page?.kept === true ? 'health.kept' : 'health.notKept')}
              </span>{' '}
              {page?.scannedAt === null || page?.scannedAt === undefined ? (
                say('near.neverScanned')
              ) : (
                <>
                  {say('near.scanned')} <Instant at={page.scannedAt} />
                </>
              )}
            </Fact>
          )}
        </Shown>
      </dl>
    </Section>
  );
}

function Versions() {
  const { say, language } = useReading();
  const session = useSession();
  const rules = useQuery(rulesOf(session, language));
  const caller = useQuery(callerOf(session));
  const health = useQuery({ ...healthOf(session), enabled: useMay('health:read') });
  return (
    <Section title={say('health.versions')}>
      <dl className="facts">
        <Fact name={say('health.console')}>{VERSION}</Fact>
        {health.data !== undefined && (
          <Fact name={say('health.headroom')}>{health.data.version}</Fact>
        )}
        <Shown asked={caller} lines={1}>
          {({ fourEyes }) => (
            <Fact name={say('health.fourEyes')}>{say(`health.fourEyes.${fourEyes}`)}</Fact>
          )}
        </Shown>
        <Shown asked={rules} lines={1}>
          {({ revision, rules: all }) => {
            const inForce = all.filter(({ mode = 'enforce' }) => mode === 'enforce').length;
            return (
              <Fact name={say('health.rules')}>
                {say('health.revision', { revision })} · {inForce} {say('rules.mode.enforce')}
              </Fact>
            );
          }}
        </Shown>
      </dl>
    </Section>
  );
}

function Caller() {
  const { say } = useReading();
  const caller = useQuery(callerOf(useSession()));
  return (
    <Section title={say('health.caller')}>
      <Shown asked={caller} lines={2}>
        {({ by, rights }) => (
          <dl className="facts">
            {by.person !== undefined && (
              <Fact name={say('health.person')}>
                <Given text={by.person} />
              </Fact>
            )}
            <Fact name={say(`health.by.${by.kind}`)}>
              <Given text={by.id} />
            </Fact>
            <Fact name={say('health.rights')}>{rights.join(', ') || say('health.none')}</Fact>
          </dl>
        )}
      </Shown>
    </Section>
  );
}
