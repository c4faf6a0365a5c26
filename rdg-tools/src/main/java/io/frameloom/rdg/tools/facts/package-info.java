/** What a plan says, as named facts: the keys of the form {@code rdg-case/1}. */
@NullMarked
package io.frameloom.rdg.tools.facts;

import org.jspecify.annotations.NullMarked;
