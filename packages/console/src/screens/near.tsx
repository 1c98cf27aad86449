import type { NearAnswer, NearRequest, NearRow } from '@headroom-limits/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { nearOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { FilterChoice, FilterText } from '../ui/filter.tsx';
import type { Column } from '../ui/listing.tsx';
import { ListEnd, Listing } from '../ui/listing.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { NEAR, standingColumns, takenShare } from '../ui/standing.tsx';
import { Instant, SubjectLinks } from '../ui/text.tsx';
import { shareText } from '../ui/written.ts';
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
              .flatMap((page) => page.near.flatMap(nowOf))
              .toSorted((one, other) => takenShare(other) - takenShare(one));
            const [first] = pages;
            return (
              <>
                {first !== undefined && <Sources answer={first} />}
                {rows.length === 0 ? (
                  <Empty>{say('near.empty')}</Empty>
                ) : (
                  <>
                    <Listing
                      name="near"
                      label={say('near.title')}
                      columns={columnsIn(reading)}
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

type NowRow = NearRow & NonNullable<NearRow['now']>;

/** A row by what is used and held now, against the maximum now; `share` stays what was reached. */
function nowOf(row: NearRow): readonly NowRow[] {
  return row.now === undefined ? [] : [{ ...row, ...row.now, share: row.share }];
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
      id: 'subjects',
      header: say('field.subjects'),
      cell: ({ subjects }) => <SubjectLinks subjects={subjects} />,
    },
    ...standingColumns<NowRow>(reading, {
      currency: ({ currency }) => currency,
      tone: (row) => {
        const share = takenShare(row);
        return share >= 1 ? 'over' : share >= NEAR ? 'near' : 'well';
      },
      state: ({ mode, overridden }) => (
        <>
          {mode === 'shadow' && <span className="tag">{say('rules.mode.shadow')}</span>}
          {overridden && <span className="tag own">{say('near.own')}</span>}
        </>
      ),
    }).filter(({ id }) => id !== 'left'),
    {
      id: 'reached',
      header: say('near.reached'),
      isFigure: true,
      cell: ({ share, at }) => (
        <>
          {say('near.reachedBy', { share: shareText(share, locale) })} <Instant at={at} isShort />
        </>
      ),
    },
    {
      id: 'listed',
      header: say('near.until'),
      isFigure: true,
      cell: ({ until }) => (until === null ? say('time.never') : <Instant at={until} isShort />),
    },
  ];
}
