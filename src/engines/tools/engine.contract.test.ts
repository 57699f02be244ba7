import { testEngineContract, toolCall } from '../engine.contract.js';
import { engineOf, ticketWorld } from './engine-worlds.contract.js';

const world = ticketWorld();

testEngineContract({
  name: 'tools engine',
  engine: engineOf(world),
  spec: world.spec,
  other: { ...world.spec, id: 'another' },
  actions: [
    toolCall('ticket_create', { title: 'lamp' }),
    toolCall('ticket_close', { id: 'T-8' }),
    toolCall('ticket_close', { id: 'T-8' }),
    toolCall('note_create', { ticket_id: 'T-7', body: 'naïve 🙂 — 完 \ud800' }),
    toolCall('tag_add_many', {
      items: [
        { id: 'T-7', tag: 'red' },
        { id: 'T-404', tag: 'red' },
      ],
    }),
    toolCall('ticket_list', { limit: 1 }),
    toolCall('weather', { city: 'Ulm' }),
    toolCall('ticket_delete', { id: 'T-7' }),
    toolCall('ticket_create', { title: '__proto__' }),
    toolCall('note_list'),
  ],
  refused: toolCall('ticket_get', { id: 17 }),
});
