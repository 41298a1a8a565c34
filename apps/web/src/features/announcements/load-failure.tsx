import { Alert, Button } from 'antd';
import { errorText } from '../../api/index.ts';
import { announcementsText } from '../../text/announcements.ts';

export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Alert
      type="error"
      showIcon
      title={announcementsText.failedToLoad}
      description={errorText(error)}
      action={<Button onClick={onRetry}>{announcementsText.retry}</Button>}
    />
  );
}
