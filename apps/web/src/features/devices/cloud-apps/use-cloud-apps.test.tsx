import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { useCloudApps, useCreateApp, useDeleteApp, useUpdateApp } from './use-cloud-apps.ts';

afterEach(cleanup);

function Apps() {
  useCloudApps();
  const [create, update, remove] = [useCreateApp(), useUpdateApp(), useDeleteApp()];
  function changeAll() {
    create.mutate({ router: 1, kind: 'ssh', name: 'NAS', host: '192.168.1.10' });
    update.mutate({ id: 2, patch: { name: 'NAS' } });
    remove.mutate(3);
  }
  return <button onClick={changeAll}>change</button>;
}

test('every call of cloud apps carries format=json', async () => {
  const keys = [
    'GET /api/user/cloud_apps/',
    'POST /api/user/cloud_apps/',
    'PATCH /api/user/cloud_apps/{id}/',
    'DELETE /api/user/cloud_apps/{id}/',
  ];
  const calls = show(<Apps />, Object.fromEntries(keys.map((key) => [key, () => []])));
  fireEvent.click(screen.getByText('change'));
  await waitFor(() => expect(new Set(calls.map(({ key }) => key))).toEqual(new Set(keys)));
  for (const { key, input } of calls) expect(input, key).toMatchObject({ query: { format: 'json' } });
});
