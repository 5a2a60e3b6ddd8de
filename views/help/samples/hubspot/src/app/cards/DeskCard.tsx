// The HELOC card of a contact: the status of its leads, and Hearthline in a window. HubSpot’s servers sign each
// hubspot.fetch with the app’s client secret and add the signed-in user, so there is no secret in this code.
import { useEffect, useState } from 'react';
import { Alert, Button, DescriptionList, DescriptionListItem, Flex, Link, LoadingSpinner, Text, hubspot } from '@hubspot/ui-extensions';
import type { CrmContext, ExtensionPointApiActions } from '@hubspot/ui-extensions';

const DESK = 'https://desk.example';
const CLIENT = 'hubspot'; // the key of your CRM in Hearthline

// The names of New inquiry’s fields, and the contact’s properties that fill them in.
const PREFILL: Record<string, string> = {
  'applicant.name.firstName': 'firstname',
  'applicant.name.lastName': 'lastname',
  'applicant.phone': 'phone',
  'applicant.email': 'email',
  'property.address.street1': 'address',
  'property.address.city': 'city',
  'property.address.zip': 'zip',
};

interface Lead {
  lead: string;
  application: string;
  step: string;
  move: string;
  due?: string;
  url: string;
}

interface Answer {
  leads?: Lead[];
  connected?: boolean;
  url?: string;
  error?: string;
  reference?: string;
}

interface CardProps {
  context: CrmContext;
  actions: ExtensionPointApiActions<'crm.record.tab'>;
}

const call = async (path: string, body?: Record<string, unknown>): Promise<Answer> => {
  const response = await hubspot.fetch(DESK + path, body ? { method: 'POST', body } : { method: 'GET' });
  const answer: Answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error([answer.error ?? 'Hearthline isn’t responding.', answer.reference].filter(Boolean).join(' '));
  }
  return answer;
};

const words = (code: string) => code.replaceAll('_', ' ');

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const DeskCard = ({ context, actions }: CardProps) => {
  const type = context.crm.objectTypeId;
  const id = String(context.crm.objectId);
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState('');
  const [visits, setVisits] = useState(0);

  useEffect(() => {
    let current = true;
    const query = `record=${encodeURIComponent(id)}&type=${encodeURIComponent(type)}`;
    call(`/api/embed/${CLIENT}/leads?${query}`).then(
      (found) => current && setAnswer(found),
      (error) => current && setProblem(textOf(error)),
    );
    return () => {
      current = false;
    };
  }, [id, type, visits]);

  const open = async () => {
    setProblem('');
    try {
      const values = await actions.fetchCrmObjectProperties(Object.values(PREFILL));
      const known = Object.entries(PREFILL).filter(([, name]) => values[name]);
      const prefill = Object.fromEntries(known.map(([field, name]) => [field, values[name]]));
      const { url } = await call(`/launch/hubspot/${CLIENT}`, { record: { type, id }, prefill });
      if (url) {
        const closed = () => setVisits((n) => n + 1);
        actions.openIframeModal({ uri: url, title: 'Hearthline', width: 1000, height: 900, flush: true }, closed);
      }
    } catch (error) {
      setProblem(textOf(error));
    }
  };

  return (
    <Flex direction="column" gap="small">
      {problem && <Alert title="Hearthline" variant="error">{problem}</Alert>}
      {!answer && !problem && <LoadingSpinner label="Loading" showLabel />}
      {answer?.connected === false && <Text>Open Hearthline once to connect your account.</Text>}
      {answer?.leads?.length === 0 && answer.connected !== false && <Text>No inquiry yet.</Text>}
      {answer?.leads?.map((lead) => (
        <DescriptionList key={lead.application} direction="row">
          <DescriptionListItem label="Lead"><Link href={lead.url}>{lead.lead}</Link></DescriptionListItem>
          <DescriptionListItem label="Step">{words(lead.step)}</DescriptionListItem>
          <DescriptionListItem label="Next move">{words(lead.move)}</DescriptionListItem>
          <DescriptionListItem label="Due">{lead.due ? new Date(lead.due).toLocaleString() : '—'}</DescriptionListItem>
        </DescriptionList>
      ))}
      <Button onClick={open}>Open in Hearthline</Button>
    </Flex>
  );
};

hubspot.extend<'crm.record.tab'>(({ context, actions }: CardProps) => <DeskCard context={context} actions={actions} />);
