import { Button, Input, Radio } from 'antd';
import type { Reply, RequestBody } from '@tongtu/contract';
import { errorCatalogue } from '@tongtu/contract/errors';
import { MAX_MARKED_KEYS, MAX_REMARK_LENGTH } from '@tongtu/contract/limits';
import { useId, useState } from 'react';
import { keyStatusWords, markText } from '../../../../text/shop/keys.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../../ui/mono.tsx';
import { Problem } from '../../../confirm/problem.tsx';
import styles from '../../shop.module.css';
import { findKeys } from '../find-keys.ts';
import keyStyles from '../keys.module.css';
import { useMarkKeys } from '../use-keys.ts';

type Status = RequestBody<'POST /api/mark_product_keys_as_status/'>['status'];
type Result = Reply<'POST /api/mark_product_keys_as_status/'>;

const statuses: readonly Status[] = ['issued', 'unused', 'void'];
const pastedRows = 6;

type MarkDialogProps = {
  /** Undefined: the keys are pasted. */
  chosen: readonly string[] | undefined;
  onMarked: () => void;
  onClose: () => void;
};

/** Changes the status of many keys, and says of each that was not changed why. */
export function MarkDialog({ chosen, onMarked, onClose }: MarkDialogProps) {
  const [result, setResult] = useState<Result>();
  if (result) return <MarkResult result={result} onClose={onClose} />;
  return (
    <MarkForm
      chosen={chosen}
      onClose={onClose}
      onDone={(done) => {
        setResult(done);
        onMarked();
      }}
    />
  );
}

type MarkFormProps = Omit<MarkDialogProps, 'onMarked'> & { onDone: (result: Result) => void };

function MarkForm({ chosen, onDone, onClose }: MarkFormProps) {
  const id = useId();
  const [pasted, setPasted] = useState('');
  const [status, setStatus] = useState<Status>('issued');
  const [reason, setReason] = useState('');
  const mark = useMarkKeys();
  const keys = chosen ?? findKeys(pasted);
  const isTooMany = keys.length > MAX_MARKED_KEYS;
  return (
    <Dialog
      title={markText.title}
      okText={markText.submit}
      okButtonProps={{ disabled: keys.length === 0 || isTooMany, danger: status === 'void' }}
      confirmLoading={mark.isPending}
      onOk={() => mark.mutate({ keys: [...keys], status, reason: reason.trim() }, { onSuccess: onDone })}
      onClose={onClose}
    >
      <div className={styles.form}>
        {chosen ? (
          <p>{markText.chosen(chosen.length)}</p>
        ) : (
          <div className={styles.field}>
            <label htmlFor={`${id}-keys`}>{markText.keys}</label>
            <Input.TextArea
              id={`${id}-keys`}
              value={pasted}
              rows={pastedRows}
              placeholder={markText.keysHint}
              onChange={(event) => setPasted(event.target.value)}
            />
            <Found pasted={pasted} count={keys.length} />
          </div>
        )}
        {isTooMany && <p className={styles.missing}>{markText.tooMany(MAX_MARKED_KEYS)}</p>}
        <Radio.Group
          aria-label={markText.status}
          value={status}
          className={styles.options ?? ''}
          options={statuses.map((value) => ({
            value,
            label: `${keyStatusWords[value]}：${markText.statusHints[value]}`,
          }))}
          onChange={(event) => setStatus(statuses.find((each) => each === event.target.value) ?? status)}
        />
        <div className={styles.field}>
          <label htmlFor={`${id}-reason`}>{markText.reason}</label>
          <Input
            id={`${id}-reason`}
            value={reason}
            placeholder={markText.reasonHint}
            maxLength={MAX_REMARK_LENGTH}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      </div>
      <Problem error={mark.error} />
    </Dialog>
  );
}

function Found({ pasted, count }: { pasted: string; count: number }) {
  if (pasted.trim() === '') return null;
  const lines = pasted.split('\n').filter((line) => line.trim() !== '');
  const unread = lines.filter((line) => findKeys(line).length === 0).length;
  return (
    <div aria-live="polite">
      <p className={styles.quiet}>{markText.found(count)}</p>
      {unread > 0 && <p className={styles.missing}>{markText.unread(unread)}</p>}
    </div>
  );
}

function MarkResult({ result: { changed, skipped }, onClose }: { result: Result; onClose: () => void }) {
  return (
    <Dialog
      title={markText.title}
      footer={
        <Button type="primary" onClick={onClose}>
          {markText.done}
        </Button>
      }
      onClose={onClose}
    >
      <p>{markText.changed(changed)}</p>
      {skipped.length > 0 && (
        <>
          <p>{markText.skipped(skipped.length)}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list is scrolled by keyboard */}
          <ul className={keyStyles.keyList} tabIndex={0}>
            {skipped.map(({ key, code }) => (
              <li key={key}>
                <Mono>{key}</Mono> {errorCatalogue[code].zh}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
