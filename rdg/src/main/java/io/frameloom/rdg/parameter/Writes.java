package io.frameloom.rdg.parameter;

import io.frameloom.gpu.command.Access;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The pass writes it by any access and keeps what it does not write. A texture, a buffer, a view of one, or a list of
 * them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Writes {
    /** Returns the access. */
    Access value();
}
