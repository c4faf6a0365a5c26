package io.frameloom.rdg.parameter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The pass reads it as constants: a uniform buffer of the frame, a buffer, a view of one, or a list of them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Uniform {
    /** Returns the name in the shader; that of the component if empty. */
    String binding() default "";
}
