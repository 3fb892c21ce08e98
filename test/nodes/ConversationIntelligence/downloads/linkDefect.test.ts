import { linkDefect } from '../../../../nodes/ConversationIntelligence/downloads/linkDefect';

const PUBLIC = 'https://api.example.com/v1';

test.each([
	[PUBLIC, 'https://media.example.com/a?signature=s'],
	[PUBLIC, 'https://media.example.com:8443/a'],
	['http://127.0.0.1:8790/data', 'http://127.0.0.1:8790/audio/1'],
	['http://127.0.0.1:8790/data', 'http://localhost:8790/audio/1'],
	['http://[::1]:8790/data', 'http://127.0.0.1:8790/audio/1'],
	['http://127.0.0.1:8790/data', 'https://media.example.com/a'],
	['http://127.0.0.1:8790/data', 'http://media.example.com/a'],
	['https://10.0.0.5/v1', 'https://10.0.0.5/media/a'],
	['http://sandbox:8790', 'http://sandbox:8790/audio/1'],
])('follows from %s to %s', (baseUrl, link) => {
	expect(linkDefect(baseUrl, link)).toBeUndefined();
});

test.each([
	[PUBLIC, 'http://media.example.com/a?s=secret', 'starts with http: instead of https:'],
	[PUBLIC, 'ftp://media.example.com/a', 'starts with ftp: instead of https:'],
	['http://127.0.0.1:8790', 'data:text/plain,secret', 'starts with data: instead of https:'],
	['http://127.0.0.1:8790', 'file:///etc/passwd', 'starts with file: instead of https:'],
	[PUBLIC, 'https://user:secret@media.example.com/a', 'contains a user name or password'],
	[PUBLIC, '/a?s=secret', 'is not an address'],
	[PUBLIC, 'https://127.0.0.1:5678/rest?s=secret', 'leads to the private address 127.0.0.1:5678'],
	[PUBLIC, 'https://[::ffff:169.254.169.254]/', 'leads to the private address [::ffff:a9fe:a9fe]'],
	[PUBLIC, 'https://n8n/rest', 'leads to the private address n8n'],
	['http://127.0.0.1:8790', 'http://127.0.0.1:5678/', 'leads to the private address 127.0.0.1:5678'],
	['http://127.0.0.1:8790', 'http://10.0.0.5:8790/', 'leads to the private address 10.0.0.5:8790'],
	['http://10.0.0.5', 'http://10.0.0.6', 'leads to the private address 10.0.0.6'],
	['http://10.0.0.5', 'http://10.0.0.5:9200', 'leads to the private address 10.0.0.5:9200'],
	['https://10.0.0.5', 'http://10.0.0.5', 'starts with http: instead of https:'],
])('does not follow from %s to %s, which %s', (baseUrl, link, defect) => {
	expect(linkDefect(baseUrl, link)).toBe(defect);
});
