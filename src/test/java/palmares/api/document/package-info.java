/** Makes the OpenAPI document of the resource interfaces. */
@org.jspecify.annotations.NullMarked
package palmares.api.document;
