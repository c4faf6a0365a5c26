/** The static site: pages of Markdown, what they show, and the Javadoc. */
@NullMarked
package io.frameloom.site;

import org.jspecify.annotations.NullMarked;
