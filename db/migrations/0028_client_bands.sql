ALTER TABLE `client_events` ADD `band` text;--> statement-breakpoint
ALTER TABLE `clients` ADD `band` text;