import { Segmented } from 'antd';
import { managedDevicesText } from '../../../text/management/devices.ts';
import { ManageFrame } from '../frame/manage-frame.tsx';
import { ManagedList } from '../frame/managed-list.tsx';
import { useListState } from '../frame/use-list-state.ts';
import { ManagedDeviceRow } from './managed-device-row.tsx';
import { useManagedDevices } from './use-managed-devices.ts';

type Range = 'every' | 'suspended';

/** For staff: the devices of everybody. */
export function ManagedDevicesPage() {
  return (
    <ManageFrame title={managedDevicesText.title}>
      <Devices />
    </ManageFrame>
  );
}

function Devices() {
  const { filters, setFilters, page, setPage, range } = useListState<{ search: string; shown: Range }>({
    search: '',
    shown: 'every',
  });
  const { search, shown } = filters;
  const query = useManagedDevices({
    ...range,
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(shown === 'suspended' && { suspended: 'true' as const }),
  });
  return (
    <ManagedList
      title={managedDevicesText.title}
      failed={managedDevicesText.failed}
      none={managedDevicesText.none}
      count={managedDevicesText.count}
      query={query}
      page={page}
      onPage={setPage}
      search={{ label: managedDevicesText.search, value: search, onChange: (text) => setFilters({ search: text }) }}
      filters={
        <Segmented<Range>
          aria-label={managedDevicesText.filter}
          value={shown}
          options={(['every', 'suspended'] as const).map((value) => ({
            value,
            label: managedDevicesText.filters[value],
          }))}
          onChange={(value) => setFilters({ shown: value })}
        />
      }
    >
      {(device) => <ManagedDeviceRow key={device.id} device={device} />}
    </ManagedList>
  );
}
