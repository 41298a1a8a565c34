import { Skeleton } from 'antd';
import { useQuery } from '@tanstack/react-query';
import type { Reply } from '@tongtu/contract';
import { errorText, useApi } from '../../../api/index.ts';
import { jobsText } from '../../../text/management/operation.ts';
import { momentText } from '../../../text/moment-text.ts';
import { timeTexts } from '../../../text/time.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { ManageFrame } from '../frame/manage-frame.tsx';
import styles from '../frame/frame.module.css';
import pageStyles from '../manage.module.css';

type Job = Reply<'GET /api/manage/jobs/'>[number];
type JobState = keyof typeof jobsText.states;

const tones: Record<JobState, StateTone> = { running: 'good', failed: 'bad', fine: 'good', never: 'muted' };
const refetchEveryMs = 10_000;

function stateOf(job: Job): JobState {
  if (job.is_running) return 'running';
  if (job.last_error !== null) return 'failed';
  return job.last_finished_at === null ? 'never' : 'fine';
}

function everyText(seconds: number): string {
  if (seconds % 3_600 === 0) return jobsText.every(jobsText.hours(seconds / 3_600));
  return jobsText.every(seconds % 60 === 0 ? jobsText.minutes(seconds / 60) : jobsText.seconds(seconds));
}

/** For staff: what the service does by itself. */
export function JobsPage() {
  return (
    <ManageFrame title={jobsText.title}>
      <Jobs />
    </ManageFrame>
  );
}

function Jobs() {
  const { call } = useApi();
  const query = useQuery({
    queryKey: ['manage', 'jobs'],
    queryFn: ({ signal }) => call('GET /api/manage/jobs/', { signal }),
    refetchInterval: refetchEveryMs,
  });
  const { data, error } = query;
  return (
    <section className={pageStyles.panel} aria-label={jobsText.title}>
      <p className={styles.hint}>{jobsText.hint}</p>
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {!data && error && <LoadFailure title={jobsText.failed} text={errorText(error)} query={query} />}
      {data?.length === 0 && <p className={pageStyles.none}>{jobsText.none}</p>}
      <ul className={pageStyles.list}>
        {data?.map((job) => (
          <JobRow key={job.name} job={job} />
        ))}
      </ul>
    </section>
  );
}

function JobRow({ job }: { job: Job }) {
  const state = stateOf(job);
  const name = jobsText.names[job.name] ?? job.name;
  return (
    <li className={styles.row} aria-label={name}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{name}</strong>
          <StateTag tone={tones[state]}>{jobsText.states[state]}</StateTag>
        </div>
        <div className={styles.facts}>
          <span>{everyText(job.every_seconds)}</span>
          {job.last_started_at !== null && (
            <span>
              {jobsText.last}
              <RelativeTime {...timeTexts(job.last_started_at)} />
            </span>
          )}
          <span>{jobsText.next(momentText(job.next_run_at))}</span>
        </div>
        {job.last_error !== null && (
          <div className={`${styles.facts} ${styles.bad}`}>{jobsText.error(job.last_error)}</div>
        )}
      </div>
    </li>
  );
}
