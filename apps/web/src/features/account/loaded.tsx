import { Alert, Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { errorText } from '../../api/index.ts';
import { usersText } from '../../text/users.ts';
import { sharedText } from '../../text/shared.ts';

type LoadedProps<Content> = {
  query: { data: Content | undefined; error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> };
  children: (content: Content) => ReactNode;
};

/** What a query brought; until then that it is on its way, or why it did not come. */
export function Loaded<Content>({ query, children }: LoadedProps<Content>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (!error) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  return (
    <Alert
      type="error"
      showIcon
      title={usersText.loadFailed}
      description={errorText(error)}
      action={
        <Button loading={isFetching} onClick={() => void refetch()}>
          {sharedText.retry}
        </Button>
      }
    />
  );
}
