import type { NearAnswer, NearRequest, NearRow, Quantity } from '@headroom-limits/client';
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

/** Who is near a maximum: what is used and held now, the most first, beside what was reached. */
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
            const rows = pages
              .flatMap((page) => page.near.filter(hasNow))
              .toSorted((one, other) => other.now.share - one.now.share);
            const [first] = pages;
            return (
              <>
                {first !== undefined && <Sources answer={first} />}
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
                    {near.hasNextPage && <p className="fine">{say('near.more')}</p>}
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

type NowRow = NearRow & { readonly now: NonNullable<NearRow['now']> };

function hasNow(row: NearRow): row is NowRow {
  return row.now !== undefined;
}

/** Says how recent the list is, and what may be missing. */
function Sources({ answer: { now, kept, scannedAt } }: { readonly answer: NearAnswer }) {
  const { say } = useReading();
  return (
    <p className="fine run">
      <span>
        {say('near.asOf')} <Instant at={now} />
      </span>
      {!kept && <span>{say('near.notKept')}</span>}
      {scannedAt !== null && (
        <span>
          {say('near.scanned')} <Instant at={scannedAt} />
        </span>
      )}
      {scannedAt === null && !kept && <span>{say('near.neverScanned')}</span>}
    </p>
  );
}

function columnsIn(reading: Reading): readonly Column<NowRow>[] {
  const { say, locale } = reading;
  return [
    {
      id: 'share#',
      header: say('near.now'),
      cell: ({
        row: {
          original: { now },
        },
      }) => (
        <span className={`state ${now.share >= 1 ? 'over' : now.share >= 0.8 ? 'near' : ''}`}>
          {shareText(now.share, locale)}
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
    ...figuresIn(reading),
    {
      id: 'reached#',
      header: say('near.reached'),
      cell: ({ row: { original } }) => (
        <>
          {say('near.reachedBy', { share: shareText(original.share, locale) })}{' '}
          <Instant at={original.at} isShort />
        </>
      ),
    },
    {
      id: 'until#',
      header: say('near.until'),
      cell: ({ row: { original } }) =>
        original.until === null ? say('time.never') : <Instant at={original.until} isShort />,
    },
  ];
}

function figuresIn(reading: Reading): readonly Column<NowRow>[] {
  const { say } = reading;
  const sums = ({ now, currency }: NowRow, part: 'used' | 'held'): string =>
    quantityText(limited(now[part], now.max), currency, reading);
  return [
    {
      id: 'used#',
      header: say('limit.used'),
      cell: ({ row: { original } }) => sums(original, 'used'),
    },
    {
      id: 'held#',
      header: say('limit.held'),
      cell: ({ row: { original } }) => sums(original, 'held'),
    },
    {
      id: 'maximum#',
      header: say('near.maximum'),
      cell: ({
        row: {
          original: { now, currency },
        },
      }) => (
        <>
          {quantityText(now.max, currency, reading)}
          {now.overridden && ` (${say('near.own')})`}
        </>
      ),
    },
  ];
}

/** Leaves out the sums that have no maximum. */
function limited(sums: Quantity, max: Quantity): Quantity {
  return {
    ...(max.amount === undefined || sums.amount === undefined ? {} : { amount: sums.amount }),
    ...(max.count === undefined || sums.count === undefined ? {} : { count: sums.count }),
  };
}
