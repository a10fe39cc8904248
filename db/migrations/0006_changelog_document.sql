ALTER TABLE `changelog` ADD `document` text;--> statement-breakpoint
ALTER TABLE `changelog` ADD `kept` text;--> statement-breakpoint
CREATE INDEX `changelog_organization` ON `changelog` (`organization`);--> statement-breakpoint
CREATE INDEX `changelog_network` ON `changelog` (`organization`,`network`);--> statement-breakpoint
CREATE INDEX `changelog_account` ON `changelog` (`organization`,`account`);--> statement-breakpoint
CREATE INDEX `changelog_object` ON `changelog` (`organization`,`object`);--> statement-breakpoint
CREATE INDEX `changelog_document` ON `changelog` (`document`);