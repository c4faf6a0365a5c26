/** What a graph has declared: passes, uses, resources, scopes, and the journal that finds an equal graph again. */
@NullMarked
package io.frameloom.rdg.declare;

import org.jspecify.annotations.NullMarked;
