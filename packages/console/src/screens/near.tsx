import type { NearRequest, NearRow } from '@headroom-limits/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { nearOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { FilterChoice, FilterText } from '../ui/filter.tsx';
import type { Column } from '../ui/listing.tsx';
import { ListEnd, Listing } from '../ui/listing.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Instant, RuleLink, SubjectLinks } from '../ui/text.tsx';
import { quantityText, shareText } from '../ui/written.ts';
import type { Reading } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';

const SHARES = [0.5, 0.8, 0.95, 1] as const;
const FIRST = 0.8;

/** Who is near a maximum, nearest first. */
export function Screen() {
  const reading = useReading();
  const { say, locale } = reading;
  const [{ share: asked, rule, kind }] = useAsked();
  const share = SHARES.find((each) => String(each) === asked) ?? FIRST;
  const request: NearRequest = { share, rule, kind };
  const near = useInfiniteQuery(nearOf(useSession(), request));
  const columns = useMemo(() => columnsIn(reading), [reading]);
  return (
    <>
      <div className="head">
        <h1>{say('near.title')}</h1>
      </div>
      <p className="lead">{say('near.lead')}</p>
      <Section title={say('near.title')}>
        <div className="filters">
          <FilterChoice
            {...{ name: 'share', first: String(FIRST), className: 'field narrow' }}
            label={say('near.share')}
            options={SHARES.map((each) => [String(each), shareText(each, locale)])}
          />
          <FilterText name="rule" label={say('field.rule')} />
          <FilterText name="kind" label={say('field.kind')} />
        </div>
        <Shown asked={near} lines={6}>
          {({ pages }) => {
            const rows = pages.flatMap((page) => page.near);
            const [first] = pages;
            return (
              <>
                {first !== undefined && (
                  <p className="fine">
                    {!first.kept && `${say('near.notKept')} `}
                    {first.scannedAt === null ? (
                      say('near.neverScanned')
                    ) : (
                      <>
                        {say('near.scanned')} <Instant at={first.scannedAt} />
                      </>
                    )}
                  </p>
                )}
                {rows.length === 0 ? (
                  <Empty>{say('near.empty')}</Empty>
                ) : (
                  <>
                    <Listing
                      label={say('near.title')}
                      columns={columns}
                      rows={rows}
                      keyOf={({ rule: id, subjects, start }, index) =>
                        `${id} ${JSON.stringify(subjects)} ${start ?? index}`
                      }
                    />
                    <ListEnd asked={near} count={rows.length} />
                  </>
                )}
              </>
            );
          }}
        </Shown>
      </Section>
    </>
  );
}

function columnsIn(reading: Reading): readonly Column<NearRow>[] {
  const { say, locale } = reading;
  return [
    {
      id: 'reached#',
      header: say('near.reached'),
      cell: ({ row: { original } }) => (
        <span
          className={`state ${original.share >= 1 ? 'over' : original.share >= 0.8 ? 'near' : ''}`}
        >
          {shareText(original.share, locale)}
        </span>
      ),
    },
    {
      id: 'subjects',
      header: say('field.subjects'),
      cell: ({ row: { original } }) => <SubjectLinks subjects={original.subjects} />,
    },
    {
      id: 'rule',
      header: say('field.rule'),
      cell: ({ row: { original } }) => (
        <span className="run">
          <RuleLink id={original.rule} />
          {original.mode === 'shadow' && <span className="tag">{say('rules.mode.shadow')}</span>}
        </span>
      ),
    },
    {
      id: 'taken#',
      header: say('near.taken'),
      cell: ({ row: { original } }) =>
        quantityText(limited(original.taken, original.max), original.currency, reading),
    },
    {
      id: 'maximum#',
      header: say('near.maximum'),
      cell: ({ row: { original } }) => (
        <>
          {quantityText(original.max, original.currency, reading)}
          {original.overridden && ` (${say('near.own')})`}
        </>
      ),
    },
    {
      id: 'at#',
      header: say('near.at'),
      cell: ({ row: { original } }) => <Instant at={original.at} isShort />,
    },
    {
      id: 'until#',
      header: say('field.until'),
      cell: ({ row: { original } }) =>
        original.until === null ? say('time.never') : <Instant at={original.until} isShort />,
    },
  ];
}

/** Of what was taken, what has a maximum. */
function limited(taken: NearRow['taken'], max: NearRow['max']): NearRow['taken'] {
  return {
    ...(max.amount === undefined || taken.amount === undefined ? {} : { amount: taken.amount }),
    ...(max.count === undefined || taken.count === undefined ? {} : { count: taken.count }),
  };
}
