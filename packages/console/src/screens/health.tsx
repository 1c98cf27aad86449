import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import manifest from '../../package.json';
import { callerOf, nearOf, rulesOf, summaryOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { Section, Shown } from '../ui/panel.tsx';
import { Given, Instant, personOf } from '../ui/text.tsx';
import { useReading } from '../words/words.tsx';

/** Of the console, which is Headroom's. */
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
          <Lost />
        </div>
        <div>
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
  return (
    <Section title={say('health.versions')}>
      <dl className="facts">
        <Shown asked={caller} lines={2}>
          {({ fourEyes }) => (
            <>
              <Fact name={say('health.headroom')}>{VERSION}</Fact>
              <Fact name={say('health.fourEyes')}>{fourEyes}</Fact>
            </>
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
            <Fact name={by.kind}>
              <Given text={personOf(by)} />
            </Fact>
            <Fact name={say('health.rights')}>{rights.join(', ') || say('health.none')}</Fact>
          </dl>
        )}
      </Shown>
    </Section>
  );
}
